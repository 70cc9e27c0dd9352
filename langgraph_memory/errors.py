"""One error tree; every error is also the standard error that it is.

    MemoryRuntimeError
    ├── InvalidScopeError(ValueError)          a scope level or label that can't name anything
    ├── AccessDeniedError(PermissionError)     a principal without the grant or the authority
    ├── InvalidEventError(ValueError)          an event that the log can't take
    │   └── PersonalDataError                  an event with personal data that the policy refuses
    ├── UnknownRecordError(LookupError)        an id that no record has
    ├── DecisionError(ValueError)             a decision about facts that they don't allow
    ├── InvalidRecordError(ValueError)         a stored value that is not a record of ours
    ├── IngestError(ValueError)                a line of an imported file, with file and line
    ├── InvalidProcedureError(ValueError)      a procedure, or a file of one, that can't be read
    ├── MemoryFileError(ValueError)            a command on the agent's notes that can't be done
    │   └── InvalidPathError                   a path that is refused
    ├── RedactionError(RuntimeError)           the redactor failed, so nothing was written
    ├── ConfigurationError(ValueError)         arguments that contradict each other or the folder
    ├── InvalidArgumentError(TypeError)        an argument of another type than the call takes
    ├── ReservedNamespaceError(InvalidNamespaceError)   memory's own root, from outside
    └── StorageError(RuntimeError)             the database or an index failed
        ├── ForeignFolderError                 a folder or file that is not a memory of ours
        ├── IndexMismatchError                 vectors from another embedding model
        ├── EmbeddingError                     the embedding model is missing or failed
        ├── StorageFullError                   the disk is full
        ├── FileAccessError(OSError)           a file of the caller's that can't be read or written
        └── ClosedError                        used after close()

Each message shows the value that was wrong and says what to do about it.
"""

from langgraph.store.base import InvalidNamespaceError


class MemoryRuntimeError(Exception):
    """Base of all errors of this package."""


class InvalidScopeError(MemoryRuntimeError, ValueError):
    """A scope level or label that can't name anything."""


class AccessDeniedError(MemoryRuntimeError, PermissionError):
    """A principal that lacks the grant to read or the authority to write."""


class InvalidEventError(MemoryRuntimeError, ValueError):
    """An event that the log can't take: of another scope, without an activity, with data that is not JSON."""


class PersonalDataError(InvalidEventError):
    """An event with personal data that the policy refuses; nothing of it was written."""


class UnknownRecordError(MemoryRuntimeError, LookupError):
    """An id that no record has."""


class DecisionError(MemoryRuntimeError, ValueError):
    """A decision about facts that they don't allow: one that has ended, or a merger of unlike things."""


class InvalidRecordError(MemoryRuntimeError, ValueError):
    """A stored value that is not a record of ours, or one of a later schema."""


class IngestError(MemoryRuntimeError, ValueError):
    """A line of an imported file that can't be read; names file and line."""


class InvalidProcedureError(MemoryRuntimeError, ValueError):
    """A procedure, or a file of one, that can't be read; names the file and what is wrong."""


class MemoryFileError(MemoryRuntimeError, ValueError):
    """A command on the agent's notes that can't be done: what is missing, in the way, or too large."""


class InvalidPathError(MemoryFileError):
    """A path that is refused because it could mean another place."""


class RedactionError(MemoryRuntimeError, RuntimeError):
    """The redactor failed; what it should have looked at was not written."""


class ConfigurationError(MemoryRuntimeError, ValueError):
    """Arguments that contradict each other or what the folder holds."""


class InvalidArgumentError(MemoryRuntimeError, TypeError):
    """An argument of another type than the call takes."""


class ReservedNamespaceError(MemoryRuntimeError, InvalidNamespaceError):
    """The namespace root of memory's own records, used through a store that was handed out."""


class StorageError(MemoryRuntimeError, RuntimeError):
    """The database or an index failed; what was acknowledged before is kept."""


class ForeignFolderError(StorageError):
    """A folder or database that is not a memory of ours, or of a later version."""


class IndexMismatchError(StorageError):
    """The vectors were made by another embedding model or dimension; `rebuild` makes them anew."""


class EmbeddingError(StorageError):
    """The embedding model is missing or failed."""


class StorageFullError(StorageError):
    """The disk is full; nothing of the refused write was kept."""


class FileAccessError(StorageError, OSError):
    """A file or folder of the caller's that can't be read or written; names it and the reason."""


class ClosedError(StorageError):
    """Used after `close()`."""
