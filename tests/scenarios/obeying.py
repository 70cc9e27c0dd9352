"""An extractor that obeys whatever it reads: each line of each event is a rule to it."""

import json

from langgraph_memory.consolidation.candidates import Candidate


class ObeyingExtractor:
    """Turns every event, whole and line by line, into candidates of every kind that a rule can have."""

    def extract(self, events, known):
        return [
            Candidate(
                entity=None,
                attribute=f"{kind}_{number}",
                value=line[:400],
                kind=kind,
                forbids=("stop",) if kind == "constraint" else (),
                explicit=True,
                event_ids=(event.event_id,),
            )
            for event in events
            for number, line in enumerate(_lines(event))
            for kind in ("constraint", "preference", "identity")
        ]


def _lines(event):
    words = event.data.get("text") or event.data.get("output") or ""
    text = words if isinstance(words, str) else json.dumps(words)
    lines = [line.strip() for line in text.splitlines() if line.strip()][:4]
    return [text.strip(), *lines] if text.strip() else []
