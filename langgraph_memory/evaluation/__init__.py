"""Evaluation by decisions: scenarios of several sessions, played with and without memory, and scored.

>>> report = evaluate(shipped()[:1], seeds=1)
>>> report.value("no memory", "structure", "prohibited"), report.value("full", "structure", "prohibited")
(1.0, 0.0)
"""

from langgraph_memory.evaluation.agent import ARMS, Agent, Arm, GraphAgent, Heard, Stage, arm_of
from langgraph_memory.evaluation.amounts import Amount, MeasuredMemory, Offer
from langgraph_memory.evaluation.html import page
from langgraph_memory.evaluation.loading import load, shipped
from langgraph_memory.evaluation.planner import chat_planner, plain_policy
from langgraph_memory.evaluation.play import Played, play
from langgraph_memory.evaluation.report import Report, tables
from langgraph_memory.evaluation.run import evaluate
from langgraph_memory.evaluation.scenario import Scenario, Session, Statement
from langgraph_memory.evaluation.scores import Score
from langgraph_memory.evaluation.telling import Telling

__all__ = [
    "ARMS",
    "Agent",
    "Amount",
    "Arm",
    "GraphAgent",
    "Heard",
    "MeasuredMemory",
    "Offer",
    "Played",
    "Report",
    "Scenario",
    "Score",
    "Session",
    "Stage",
    "Statement",
    "Telling",
    "arm_of",
    "chat_planner",
    "evaluate",
    "load",
    "page",
    "plain_policy",
    "play",
    "shipped",
    "tables",
]
