"""Functions that run in processes of their own, and are killed when a test is over."""

from contextlib import contextmanager


@contextmanager
def starting(context):
    """Gives a function that starts another one in a process, and returns the process and a connection to it.

    Args:
        context: of `multiprocessing`.
    """
    started = []

    def start(function, *args):
        ours, theirs = context.Pipe()
        process = context.Process(target=function, args=(theirs, *args), daemon=True)
        process.start()
        theirs.close()
        started.append((process, ours))
        return process, ours

    yield start
    for process, connection in started:
        process.kill()
        process.join()
        process.close()
        connection.close()
