#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line tool is sent signals while it saves.

    cli_signals.py AGENTCHAT

At random moments, half of them while the temporary file is there: the tool ends by the signal, or has ended before, the
file is the old or the new one, complete, and nothing lies beside it. A signal that the tool was started to ignore
changes nothing. What a killed tool leaves is removed by the next one. AGENTCHAT_TEST_KILLS: how many signals (160).
"""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

ENDING = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGALRM, signal.SIGUSR1, signal.SIGXCPU]


def temporaries():
    return [name for name in os.listdir("out") if name.startswith(".agentchat-")]


def start(agentchat, command, ignored=()):
    def prepare():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for number in ENDING:
            signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)

    return subprocess.Popen([agentchat, *command], preexec_fn=prepare, stdout=subprocess.DEVNULL)


def wait_for_moment(process, duration, in_save):
    """Until the temporary file is there and then some, or for a random part of the tool's life."""
    if not in_save:
        time.sleep(random.random() * duration)
        return False
    while process.poll() is None and not temporaries():
        pass
    time.sleep(random.random() * random.random() * duration / 2)
    return bool(temporaries())


def read(path):
    with open(path, "rb") as file:
        return file.read()


def put(path, data):
    with open(path, "wb") as file:
        file.write(data)


def main():
    agentchat = os.path.realpath(sys.argv[1])
    rounds = int(os.environ.get("AGENTCHAT_TEST_KILLS") or 160)
    random.seed(2026)
    with tempfile.TemporaryDirectory() as dir:
        os.chdir(dir)
        os.mkdir("out")
        messages = [{"role": "user", "items": [{"type": "text", "text": f"message {i} " + "x" * 300}]}
                    for i in range(12000)]
        chat = {"agentchat": {"format": 1, "reader": 1}, "history": messages, "participants": [], "channels": []}
        with open("big.json", "w", encoding="utf-8") as file:
            json.dump(chat, file)
        commands = [["convert", "--to", "agentchat", "big.json", "out/file"], ["view", "--output", "out/file", "big.json"]]
        fresh, duration = [], []
        for command in commands:
            began = time.monotonic()
            assert start(agentchat, command).wait() == 0
            duration.append(time.monotonic() - began)
            fresh.append(read("out/file"))
        ended = in_save = replaced = 0
        for number in range(rounds):
            kind = number % 4 == 3
            sent = ENDING[number % len(ENDING)]
            put("out/file", b"old")
            process = start(agentchat, commands[kind])
            hit = wait_for_moment(process, duration[kind], number % 2 == 0)
            process.send_signal(sent)
            status = process.wait()
            data = read("out/file")
            assert status in (0, -sent), f"{sent.name}: exit status {status}"
            assert data in (b"old", fresh[kind]), f"{sent.name}: the file is neither the old nor the new one"
            assert not temporaries(), f"{sent.name}: {temporaries()} is left"
            assert status != 0 or data == fresh[kind]
            ended += status != 0
            in_save += hit and status != 0
            replaced += data != b"old" and status != 0
        print(f"{rounds} signals: {ended} ended the tool, {in_save} of them during a save; "
              f"{replaced} came when the file was in place")
        assert in_save >= rounds // 10

        for sent in ENDING: # as nohup does
            put("out/file", b"old")
            process = start(agentchat, commands[0], ignored=[sent])
            wait_for_moment(process, duration[0], True)
            process.send_signal(sent)
            assert process.wait() == 0 and read("out/file") == fresh[0], f"an ignored {sent.name} changes something"

        left = 0
        for number in range(10):
            process = start(agentchat, commands[0])
            wait_for_moment(process, duration[0] / 10, True)
            process.kill()
            process.wait()
            left += len(temporaries())
            assert len(temporaries()) <= 1
        assert start(agentchat, commands[0]).wait() == 0
        assert left > 0 and not temporaries(), f"{left} left by killed tools, {temporaries()} by the last one"


if __name__ == "__main__":
    main()
