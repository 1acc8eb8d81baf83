// SPDX-License-Identifier: Apache-2.0
// Semantic Kernel's side of the exchange.
//
//   live write DIR COUNT SEED          random chats, as DIR/net-NNNN.json
//   live restore FROM TO [--continue]  restores every file of FROM into a chat with the participants it lists; prints a
//                                      line a file, "NAME ok MESSAGES" or "NAME failed EXCEPTION: message"; --continue
//                                      lets the first agent answer once; saves the chat again as TO/NAME
//   live holds FILE...                 what .NET holds after a restore, as lines "NAME history JSON" and
//                                      "NAME channel-of AGENT JSON", oldest first
//   live bench DIR                     times reading with restore, and saving, of every file of DIR

using System.Diagnostics;
using System.Text;
using System.Text.Json;
using Microsoft.SemanticKernel;
using Microsoft.SemanticKernel.Agents;
using Microsoft.SemanticKernel.Agents.Serialization;

Console.OutputEncoding = new UTF8Encoding(false);
switch (args)
{
    case ["write", string dir, string count, string seed]:
        await WriteAsync(dir, int.Parse(count), int.Parse(seed));
        return 0;
    case ["restore", string from, string to, .. string[] rest]:
        await RestoreAllAsync(from, to, rest.Contains("--continue"));
        return 0;
    case ["holds", .. string[] files]:
        foreach (string file in files)
        {
            await HoldsAsync(file);
        }
        return 0;
    case ["bench", string dir]:
        await BenchAsync(dir);
        return 0;
    default:
        Console.Error.WriteLine("usage: live write DIR COUNT SEED | restore FROM TO [--continue] | holds FILE... | bench DIR");
        return 2;
}

static async Task WriteAsync(string dir, int count, int seed)
{
    Directory.CreateDirectory(dir);
    RandomChats random = new(seed);
    for (int i = 0; i < count;)
    {
        byte[]? bytes = await RandomChats.SaveAsync(await random.NextAsync());
        if (bytes is not null)
        {
            await File.WriteAllBytesAsync(Path.Combine(dir, $"net-{i:D4}.json"), bytes);
            i++;
        }
    }
}

static async Task<AgentGroupChat> RestoreAsync(string file)
{
    using FileStream stream = File.OpenRead(file);
    AgentChatSerializer serializer = await AgentChatSerializer.DeserializeAsync(stream);
    AgentGroupChat chat = new();
    foreach (AgentParticipant who in serializer.Participants)
    {
        if (Make.For(who) is Agent agent) // a participant of a type that is not here stays out, as in any host without it
        {
            chat.AddAgent(agent);
        }
    }
    await serializer.DeserializeAsync(chat);
    return chat;
}

static async Task RestoreAllAsync(string from, string to, bool go)
{
    Directory.CreateDirectory(to);
    foreach (string file in Directory.GetFiles(from, "*.json").Order(StringComparer.Ordinal))
    {
        string name = Path.GetFileName(file);
        try
        {
            AgentGroupChat chat = await RestoreAsync(file);
            if (go && chat.Agents.Count > 0)
            {
                await foreach (ChatMessageContent _ in chat.InvokeAsync(chat.Agents[0]))
                {
                }
            }
            int messages = 0;
            await foreach (ChatMessageContent _ in chat.GetChatMessagesAsync())
            {
                messages++;
            }
            using FileStream stream = File.Create(Path.Combine(to, name));
            await AgentChatSerializer.SerializeAsync(chat, stream);
            Console.WriteLine($"{name} ok {messages}");
        }
        catch (Exception e)
        {
            Console.WriteLine($"{name} failed {e.GetType().Name}: {e.Message.ReplaceLineEndings(" ")}");
        }
    }
}

static async Task HoldsAsync(string file)
{
    string name = Path.GetFileName(file);
    AgentGroupChat chat;
    try
    {
        chat = await RestoreAsync(file);
    }
    catch (Exception e)
    {
        Console.WriteLine($"{name} failed {e.GetType().Name}: {e.Message.ReplaceLineEndings(" ")}");
        return;
    }
    List<ChatMessageContent> history = await chat.GetChatMessagesAsync().ToListAsync();
    history.Reverse();
    foreach (ChatMessageContent message in history)
    {
        Console.WriteLine($"{name} history {JsonSerializer.Serialize(message)}");
    }
    foreach (Agent agent in chat.Agents)
    {
        List<ChatMessageContent> seen = await chat.GetChatMessagesAsync(agent).ToListAsync();
        seen.Reverse();
        foreach (ChatMessageContent message in seen)
        {
            Console.WriteLine($"{name} channel-of {agent.Id} {JsonSerializer.Serialize(message)}");
        }
    }
}

static async Task BenchAsync(string dir)
{
    foreach (string file in Directory.GetFiles(dir, "*.json").Order(StringComparer.Ordinal))
    {
        byte[] bytes = await File.ReadAllBytesAsync(file);
        int rounds = (int)Math.Clamp(200_000_000L / Math.Max(1, bytes.Length), 3, 2000);
        List<double> reads = [], writes = [];
        for (int i = 0; i < rounds; i++)
        {
            Stopwatch watch = Stopwatch.StartNew();
            AgentChatSerializer serializer = await AgentChatSerializer.DeserializeAsync(new MemoryStream(bytes));
            AgentGroupChat chat = new();
            foreach (AgentParticipant who in serializer.Participants)
            {
                chat.AddAgent(Make.For(who)!);
            }
            await serializer.DeserializeAsync(chat);
            reads.Add(watch.Elapsed.TotalMicroseconds);
            watch.Restart();
            using MemoryStream stream = new(bytes.Length * 2);
            await AgentChatSerializer.SerializeAsync(chat, stream);
            writes.Add(watch.Elapsed.TotalMicroseconds);
        }
        reads.Sort();
        writes.Sort();
        Console.WriteLine($"{Path.GetFileName(file)}\t{bytes.Length}\t{reads[rounds / 2]:F1}\t{writes[rounds / 2]:F1}");
    }
}
