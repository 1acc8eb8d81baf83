// SPDX-License-Identifier: Apache-2.0
// Random conversations over every content type, from a seed.

using System.Text;
using Microsoft.SemanticKernel;
using Microsoft.SemanticKernel.Agents;
using Microsoft.SemanticKernel.ChatCompletion;

internal sealed class RandomChats(int seed)
{
    private readonly Random _random = new(seed);

    private static readonly string[] s_texts =
    [
        "Hello.", "", "   ", "tabs\tand\nlines\r\n", "quotes \" ' ` \\ /", "<b>&amp;+</b>", "Grüße, žluťoučký", "漢字かな交じり文",
        "😀👩‍👩‍👧‍👦", "עברית ו-English", "\u0000\u0007\u001b[31m\u007f\u0085", "\u2028\u2029\ufeff\u202e", "{\"json\": [1, 2.50]}",
        "[1]", "null", "123", "a\u0301", "\U0010FFFD",
    ];

    private string Text() => s_texts[this._random.Next(s_texts.Length)] + (this._random.Next(4) == 0 ? new string('x', this._random.Next(300)) : "");

    private string Word() => "w" + this._random.Next(1000);

    private object? Value(int depth) => this._random.Next(depth > 2 ? 6 : 9) switch
    {
        0 => null,
        1 => this._random.Next(2) == 0,
        2 => this._random.Next(-1000, 1000),
        3 => this._random.NextDouble() * Math.Pow(10, this._random.Next(-20, 20)),
        4 => this.Text(),
        5 => 1.50m,
        6 => Enumerable.Range(0, this._random.Next(4)).Select(_ => this.Value(depth + 1)).ToArray(),
        7 => new DateTimeOffset(2026, 1, 2, 3, 4, 5, 678, TimeSpan.FromHours(2)),
        _ => Enumerable.Range(0, this._random.Next(4)).ToDictionary(i => this.Word() + i, _ => this.Value(depth + 1)),
    };

    private Dictionary<string, object?>? Metadata()
        => this._random.Next(3) != 0 ? null : Enumerable.Range(0, this._random.Next(4)).ToDictionary(i => this.Word() + i, _ => this.Value(0));

    private byte[] Bytes()
    {
        byte[] bytes = new byte[1 + this._random.Next(200)];
        this._random.NextBytes(bytes);
        return bytes;
    }

    private string Filled() => this._random.Next(2) == 0 ? this.Word() : "ü" + this.Word();

    private KernelContent Item()
    {
        switch (this._random.Next(12))
        {
            case 0: return new ImageContent(this.Bytes(), "image/png") { Metadata = this.Metadata() };
            case 1: return new ImageContent(new Uri("https://example.com/" + this.Word() + "?a=1&b=<2>"));
            case 2: return new AudioContent(this.Bytes(), "audio/wav");
            case 3: return new BinaryContent(this.Bytes(), "application/octet-stream");
            case 4:
                KernelArguments arguments = [];
                for (int i = this._random.Next(4); i > 0; i--)
                {
                    arguments["a" + i] = this.Value(0);
                }
                return new FunctionCallContent(this.Filled(), this._random.Next(2) == 0 ? null : this.Word(), this.Word(), arguments);
            case 5: return new FunctionResultContent(this.Filled(), this._random.Next(2) == 0 ? null : this.Word(), this.Word(), this.Value(0));
            case 6: return new AnnotationContent(AnnotationKind.FileCitation, this.Filled(), this.Filled()) { StartIndex = this._random.Next(100), EndIndex = 100 };
            case 7: return new FileReferenceContent(this.Filled()) { Tools = this._random.Next(2) == 0 ? null : [this.Word(), this.Word()] };
            case 8: return new ReasoningContent(this.Text());
            case 9: return new ActionContent(this.Filled());
            case 10: return new ChatMessageContent(AuthorRole.Assistant, this.Text()) { AuthorName = this.Word() };
            default: return new TextContent(this._random.Next(20) == 0 ? null : this.Text()) { Metadata = this.Metadata(), ModelId = this._random.Next(4) == 0 ? "m" : null };
        }
    }

    private ChatMessageContent Message(AuthorRole role)
    {
        ChatMessageContentItemCollection items = [];
        for (int i = this._random.Next(4); i > 0; i--)
        {
            items.Add(this.Item());
        }
        return new ChatMessageContent(role, items)
        {
            AuthorName = this._random.Next(3) == 0 ? this.Filled() : null,
            ModelId = this._random.Next(4) == 0 ? "gpt-x" : null,
            MimeType = this._random.Next(6) == 0 ? "text/markdown" : null,
        };
    }

    public async Task<AgentChat> NextAsync()
    {
        AgentGroupChat chat = new();
        List<Agent> agents = [];
        for (int i = 1 + this._random.Next(3); i > 0; i--)
        {
            string id = "agent-" + this._random.Next(1_000_000);
            Agent agent = this._random.Next(5) switch
            {
                0 => new ThreadAgent { Id = id, Name = "Thread" + i, ThreadId = this._random.Next(2) == 0 ? this.Text() : "thread " + this.Text() },
                1 => Make.Aggregator(id, "Group" + i, Make.Inner, this._random.Next(2) == 0 ? AggregatorMode.Flat : AggregatorMode.Nested),
                _ => Make.Completion(id, this._random.Next(6) == 0 ? null : "Agent" + i,
                                     new Queue<ChatMessageContent>(Enumerable.Range(0, 6).Select(_ => this.Message(AuthorRole.Assistant)))),
            };
            // Two thread agents would share one channel, which is what the recorded files already show.
            if (agent is not ThreadAgent || !agents.OfType<ThreadAgent>().Any())
            {
                agents.Add(agent);
                chat.AddAgent(agent);
            }
        }
        for (int turn = this._random.Next(6); turn > 0; turn--)
        {
            chat.AddChatMessage(this.Message(this._random.Next(8) == 0 ? AuthorRole.Tool : AuthorRole.User));
            await foreach (ChatMessageContent _ in chat.InvokeAsync(agents[this._random.Next(agents.Count)]))
            {
            }
        }
        return chat;
    }

    /// <summary>Whether .NET itself can write this chat: a thread id that looks like JSON but is none makes it throw.</summary>
    public static async Task<byte[]?> SaveAsync(AgentChat chat)
    {
        using MemoryStream stream = new();
        try
        {
            await AgentChatSerializer.SerializeAsync(chat, stream);
        }
        catch (Exception)
        {
            return null;
        }
        return stream.ToArray();
    }
}
