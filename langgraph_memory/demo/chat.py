"""The plain policy in the place of a chat model, for agents that other frameworks put together."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool

from langgraph_memory.demo.planner import chat_model, plan
from langgraph_memory.demo.staging import FRIDAY, THURSDAY, staging_cloud
from langgraph_memory.demo.tools import cloud_tools
from langgraph_memory.runtime.activities import MARK_RECALLED
from langgraph_memory.runtime.recalling import apart


class PolicyChatModel(BaseChatModel):
    """Answers as `plan` does: memories are told from the conversation, system prompts are passed over.

    >>> PolicyChatModel().invoke("Run the weekly staging cost cleanup.").tool_calls[0]["name"]
    'list_instances'
    """

    @property
    def _llm_type(self) -> str:
        return "policy"

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],  # noqa: ARG002 - LangChain's
        *,
        tool_choice: str | None = None,  # noqa: ARG002 - the same
        **kwargs: Any,  # noqa: ARG002 - the same
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """The same model: the policy knows its tools."""
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - the signature is LangChain's
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002 - the same
        **kwargs: Any,  # noqa: ARG002 - the same
    ) -> ChatResult:
        recalled = [str(m.additional_kwargs.get(MARK_RECALLED, "")) for m in messages]
        plain: list[Any] = [apart(m) for m in messages]  # type: ignore[arg-type]
        said = [m for m in plain if m is not None and not isinstance(m, SystemMessage)]
        answer = plan(said, "\n".join(text for text in recalled if text))
        return ChatResult(generations=[ChatGeneration(message=answer)])


def choose_model() -> BaseChatModel:
    """A chat model where OPENAI_API_KEY is set, else the plain policy."""
    return chat_model(os.environ) or PolicyChatModel()


def staging_tools() -> list[BaseTool]:
    """Tools over a simulated cloud that begins anew with each process, on a Thursday morning."""
    return cloud_tools(staging_cloud(_now, friday=_now() - (THURSDAY - FRIDAY)))


def _now() -> datetime:
    return datetime.now(UTC)
