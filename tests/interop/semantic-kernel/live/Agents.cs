// SPDX-License-Identifier: Apache-2.0
// The agents that both sides of the exchange know: a completion agent with a canned model, an agent whose channel is a
// thread id, an aggregator around a chat with one completion agent.

using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.SemanticKernel;
using Microsoft.SemanticKernel.Agents;
using Microsoft.SemanticKernel.Agents.Serialization;
using Microsoft.SemanticKernel.ChatCompletion;

internal sealed class CannedModel(Queue<ChatMessageContent> answers) : IChatCompletionService
{
    public IReadOnlyDictionary<string, object?> Attributes { get; } = new Dictionary<string, object?>();

    public Task<IReadOnlyList<ChatMessageContent>> GetChatMessageContentsAsync(ChatHistory chatHistory,
        PromptExecutionSettings? executionSettings = null, Kernel? kernel = null, CancellationToken cancellationToken = default)
    {
        ChatMessageContent answer = answers.Count > 0
            ? answers.Dequeue()
            : new ChatMessageContent(AuthorRole.Assistant, $"seen {chatHistory.Count}");
        return Task.FromResult<IReadOnlyList<ChatMessageContent>>([answer]);
    }

    public IAsyncEnumerable<StreamingChatMessageContent> GetStreamingChatMessageContentsAsync(ChatHistory chatHistory,
        PromptExecutionSettings? executionSettings = null, Kernel? kernel = null, CancellationToken cancellationToken = default)
        => throw new NotSupportedException();
}

internal sealed class ThreadAgent : Agent
{
    public required string ThreadId { get; init; }

    public string[] Keys { get; init; } = ["ThreadChannel", "https://example.com/"];

    protected override IEnumerable<string> GetChannelKeys() => this.Keys;

    protected override Task<AgentChannel> CreateChannelAsync(CancellationToken cancellationToken)
        => Task.FromResult<AgentChannel>(new ThreadChannel(this.ThreadId));

    protected override Task<AgentChannel> RestoreChannelAsync(string channelState, CancellationToken cancellationToken)
        => Task.FromResult<AgentChannel>(new ThreadChannel(channelState));

    public override IAsyncEnumerable<AgentResponseItem<ChatMessageContent>> InvokeAsync(ICollection<ChatMessageContent> messages,
        AgentThread? thread = null, AgentInvokeOptions? options = null, CancellationToken cancellationToken = default)
        => throw new NotSupportedException();

    public override IAsyncEnumerable<AgentResponseItem<StreamingChatMessageContent>> InvokeStreamingAsync(
        ICollection<ChatMessageContent> messages, AgentThread? thread = null, AgentInvokeOptions? options = null,
        CancellationToken cancellationToken = default)
        => throw new NotSupportedException();
}

internal sealed class ThreadChannel(string id) : AgentChannel
{
    private readonly List<ChatMessageContent> _messages = [];

    public string Id { get; } = id;

    protected override string Serialize() => this.Id;

    protected override Task ReceiveAsync(IEnumerable<ChatMessageContent> history, CancellationToken cancellationToken = default)
    {
        this._messages.AddRange(history);
        return Task.CompletedTask;
    }

    protected override Task ResetAsync(CancellationToken cancellationToken = default)
    {
        this._messages.Clear();
        return Task.CompletedTask;
    }

    protected override async IAsyncEnumerable<(bool IsVisible, ChatMessageContent Message)> InvokeAsync(Agent agent,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await Task.CompletedTask;
        ChatMessageContent answer = new(AuthorRole.Assistant, $"thread {this.Id}") { AuthorName = agent.Name };
        this._messages.Add(answer);
        yield return (true, answer);
    }

    protected override IAsyncEnumerable<StreamingChatMessageContent> InvokeStreamingAsync(Agent agent,
        IList<ChatMessageContent> messages, CancellationToken cancellationToken = default)
        => throw new NotSupportedException();

    protected override async IAsyncEnumerable<ChatMessageContent> GetHistoryAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await Task.CompletedTask;
        for (int i = this._messages.Count - 1; i >= 0; i--)
        {
            yield return this._messages[i];
        }
    }
}

internal static class Make
{
    public static ChatCompletionAgent Completion(string? id, string? name, Queue<ChatMessageContent>? answers = null)
    {
        IKernelBuilder builder = Kernel.CreateBuilder();
        builder.Services.AddSingleton<IChatCompletionService>(new CannedModel(answers ?? new()));
        return new() { Id = id ?? Guid.NewGuid().ToString(), Name = name, Kernel = builder.Build() };
    }

    public static AggregatorAgent Aggregator(string? id, string? name, Func<AgentChat> inner, AggregatorMode mode)
        => new(inner) { Id = id ?? Guid.NewGuid().ToString(), Name = name, Mode = mode };

    /// <summary>An agent for a participant of a file, by the end of its type name; null for a type nobody here knows.</summary>
    public static Agent? For(AgentParticipant who)
    {
        string type = who.Type ?? string.Empty;
        if (type.EndsWith("ChatCompletionAgent", StringComparison.Ordinal))
        {
            return Completion(who.Id, who.Name);
        }
        if (type.EndsWith("ThreadAgent", StringComparison.Ordinal))
        {
            return new ThreadAgent { Id = who.Id, Name = who.Name, ThreadId = "new" };
        }
        if (type.EndsWith("AggregatorAgent", StringComparison.Ordinal))
        {
            return Aggregator(who.Id, who.Name, () => Inner(), AggregatorMode.Flat);
        }
        return null;
    }

    public static AgentGroupChat Inner()
    {
        AgentGroupChat chat = new();
        chat.AddAgent(Completion("inner-id", "Inner"));
        return chat;
    }
}
