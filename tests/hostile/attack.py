#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Attacks the command line tool, and through it the library, from outside: by what files say, by their names, by what
stands where a file is expected, and by the environment.

    attack.py AGENTCHAT [TEST...]

Each test is a promise of SECURITY.md, which names it. Exit status 0: all kept, 1: some broken.
"""
import fcntl
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import unittest

TOOL = ""
SK_AGENT = "Microsoft.SemanticKernel.Agents.ChatCompletionAgent"

# What must never reach a terminal raw, beside invalid bytes: controls, bidirectional controls, invisible characters.
UNSAFE = ([chr(c) for c in range(0x20) if chr(c) not in "\n\t"] + [chr(c) for c in range(0x7F, 0xA0)] +
          [chr(c) for c in [0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, *range(0x2028, 0x202F),
                            *range(0x2060, 0x2070), 0xFEFF, 0xFFF9, 0xFFFA, 0xFFFB, 0xFFFE, 0xFFFF, 0x1FFFE,
                            0xE0001, 0xE0041]])
NASTY = "\x1b[2J\x1b]0;t\x07\x9b31m\x00\r\x08\u202e\u2066\u200f\u2028\u200b\ufeff\ud800\U000e0041\n\tx"


def run(*arguments, stdin=None, cwd=None, env=None, raw_arguments=()):
    command = [os.fsencode(TOOL)] + [os.fsencode(a) for a in arguments] + list(raw_arguments)
    return subprocess.run(command, input=stdin, stdin=subprocess.DEVNULL if stdin is None else None,
                          capture_output=True, cwd=cwd, env=env, timeout=60, check=False)


def f1(**members):
    document = {"agentchat": {"format": 1, "reader": 1}, "history": [], "participants": [], "channels": []}
    document.update(members)
    return json.dumps(document)


def everything_nasty(text):
    """Every text that format 1 has a field for."""
    kinds = [("text", "text"), ("action", "text"), ("image", "uri"), ("call", "id plugin function"),
             ("result", "id plugin function"), ("annotation", "kind label reference title"), ("file", "file"),
             ("reasoning", "text signature")]
    items = [{"type": kind, **{name: text for name in names.split()}, "model": text, "mimetype": text,
              "metadata": {text: text}} for kind, names in kinds]
    items += [{"type": text, text: text}, {"type": "call", "arguments": {text: [text]}, "exception": {text: text}},
              {"type": "result", "result": text}, {"type": "message", "message": {"role": text}},
              {"type": "opaque", "from": "semantic-kernel", "kind": text, "raw": {"$type": text, text: text}}]
    message = {"role": text, "name": text, "items": items, "model": text, "mimetype": text, "id": text, "time": text,
               "metadata": {text: text}, "x" + text: text,
               "extras": [{"from": "semantic-kernel", "name": text, "value": text}]}
    channels = [{"channelkey": text, "channeltype": text, "statekind": "text", "channelstate": text, "x" + text: 1},
                {"channelkey": "m" + text, "statekind": "messages", "channelstate": [message], "synced": 0},
                {"channelkey": "c" + text, "statekind": "chat",
                 "channelstate": {"history": [message], "participants": [], "channels": []}}]
    return f1(history=[message, message],
              participants=[{"id": text, "name": text, "type": text},
                            {"id": text + "2", "name": text, "type": SK_AGENT, text: text}],
              channels=channels, values=[{"name": text, "value": text}],
              extras=[{"from": "semantic-kernel", "name": text, "value": text}], **{"x" + text: text})


class Attack(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="agentchat-attack-")
        self.addCleanup(shutil.rmtree, self.directory)
        self.umask = os.umask(0o022)
        self.addCleanup(lambda: os.umask(self.umask))

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        path = self.path(name)
        with open(path, "wb") as out:
            out.write(text if isinstance(text, bytes) else text.encode())
        return path

    def assert_harmless(self, done, what, statuses=(0, 1)):
        self.assertIn(done.returncode, statuses, (what, done.stderr))
        for output in (done.stdout, done.stderr):
            text = output.decode("utf-8")  # invalid bytes would fail here
            for character in UNSAFE:
                self.assertNotIn(character, text, (what, hex(ord(character))))

    # ---- texts on a terminal -------------------------------------------------------------------------------------

    def test_texts_never_reach_the_terminal_raw(self):
        """Every command, every location of a text, both formats, for people and as JSON."""
        ours = self.write("ours.json", everything_nasty(NASTY))
        plain = self.write("plain.json", everything_nasty("plain"))
        theirs = self.path("theirs.json")
        for way in ([], ["--strict"], ["--json"], ["--fail-on-loss"]):
            self.assert_harmless(run("convert", "--to", "semantic-kernel", *way, ours, theirs), ("convert", way))
        self.assertTrue(os.path.exists(theirs))
        commands = [["check"], ["show"], ["show", "--full"], ["show", "--channel", "m"], ["show", "--channel", "c"],
                    ["participants"], ["channels"], ["digest", "--all"]]
        for file in (ours, theirs):
            for command in commands:
                for way in ([], ["--json"]):
                    if way and command[0] == "show":
                        continue
                    self.assert_harmless(run(*command, *way, file), (command, way, file))
            for way in ([], ["--full"], ["--json"]):
                self.assert_harmless(run("diff", *way, plain, file), ("diff", way))
                self.assert_harmless(run("diff", *way, file, plain), ("diff", way))

    def test_errors_never_reach_the_terminal_raw(self):
        """The location and the message of an error quote names and values of the file."""
        nasty = json.dumps(NASTY)
        broken = [f1()[:-1] + ", " + nasty + ":1, " + nasty + ":2}",
                  f1(channels=[{"channelkey": NASTY, "statekind": NASTY}]),
                  f1(history=[{"role": "u", "metadata": 0}]).replace(": 0", ": {" + nasty + ":{" + nasty + ":x}}"),
                  f1(history=[{NASTY: 1, "role": 1}]),
                  f1(history=[{"role": "u", "items": [{"type": "binary", "data": NASTY}]}]),
                  '{"agentchat":{"format":1,"reader":1,"encoding":' + nasty + "}}",
                  '{"Participants":[{"Type":' + nasty + '}],"History":' + nasty + ',"Channels":' + nasty + "}",
                  '{"Participants":[],"Channels":[],"History":[{' + nasty + ":1," + nasty + ":]}]}"]
        for number, text in enumerate(broken):
            file = self.write(f"broken{number}.json", text)
            for command in (["check"], ["check", "--json"], ["show"], ["digest"], ["diff", file], ["participants"]):
                done = run(*command, file)
                self.assertNotEqual(done.returncode, 0, text)
                self.assert_harmless(done, (command, text), (1, 2))

    def test_bytes_that_are_no_text_never_reach_the_terminal_raw(self):
        for piece in (b"\xff", b"\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x1b", b"\x00", b"\x9b"):
            for text in (b'{"agentchat":{"format":1,"reader":1},"' + piece + b'":1}', piece, b"[" + piece + b"]",
                         b'{"History":[{"Role":"' + piece + b'"}]}'):
                file = self.write("bytes.json", text)
                self.assert_harmless(run("check", file), text)
                self.assert_harmless(run("show", file), text, (1, 2))

    def test_file_names_never_reach_the_terminal_raw(self):
        sound, broken = f1(history=[{"role": "u"}]), "{"
        for name in (b"a\x1b[2J\n.json", b"\xff\xfe.json", "\u202egnp.json".encode(), b"\xc2\x9b31m.json",
                     b"-\x07.json", b"\xed\xa0\x80.json"):
            path = os.fsencode(self.directory) + b"/" + name
            for text in (sound, broken):
                with open(path, "wb") as out:
                    out.write(text.encode())
                for command in (["check"], ["check", "--json"], ["digest"], ["digest", "--json"], ["show"],
                                ["participants", "--json"], ["channels", "--json"]):
                    self.assert_harmless(run(*command, raw_arguments=[path]), (command, name), (0, 1, 2))
                self.assert_harmless(run("diff", "--json", raw_arguments=[path, path]), name, (0, 1, 2))
                self.assert_harmless(run("convert", "--to", "semantic-kernel", raw_arguments=[path, path + b"/x"]),
                                     name, (1, 2))
            self.assert_harmless(run("check", raw_arguments=[path + b".gone"]), name, (2,))

    def test_arguments_never_reach_the_terminal_raw(self):
        for argument in (NASTY.replace("\0", "").replace("\ud800", ""), "--\x1b[2J", "-\x1b", "--last=\x1b[2J"):
            for command in ([], ["show"], ["convert", "--to"], ["check", "--schema"], ["show", "--channel"]):
                self.assert_harmless(run(*command, argument), (command, argument), (0, 1, 2))

    # ---- names that look like more -------------------------------------------------------------------------------

    def test_names_are_only_text(self):
        """Types, ids, names and addresses that look like paths, commands or templates come out as they went in."""
        names = ["../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "http://127.0.0.1:9/x", "$(touch HIT)",
                 "`touch HIT`", "%s%s%s%n", "System.Diagnostics.Process, System", "__import__('os')", "; touch HIT",
                 "| touch HIT", "{{constructor}}", "C:\\Windows\\x.dll", "libc.so.6", "data:text/html,x", "\\\\host\\x",
                 "${jndi:ldap://127.0.0.1:9/x}", "-rf", "--help", "NUL"]
        document = f1(history=[{"role": n, "name": n, "items": [{"type": "image", "uri": n}, {"type": "file", "file": n},
                                                                {"type": n}]} for n in names],
                      participants=[{"id": n, "name": n, "type": n} for n in names],
                      channels=[{"channelkey": n, "channeltype": n, "statekind": "text", "channelstate": n}
                                for n in names])
        ours = self.write("ours.json", document)
        before = run("digest", "--all", ours).stdout.split()[0]
        for command in (["check"], ["show", "--full"], ["participants"], ["channels"]):
            done = run(*command, "ours.json", cwd=self.directory)
            self.assertEqual(done.returncode, 0, done.stderr)
        shown = run("participants", "--json", ours).stdout.decode()
        self.assertEqual([p["type"] for p in json.loads(shown)["participants"]], names)
        for target in ("agentchat", "agentchat-encoded", "semantic-kernel"):
            done = run("convert", "--to", target, "ours.json", "out.json", cwd=self.directory)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(run("digest", "--all", "out.json", cwd=self.directory).stdout.split()[0], before, target)
        self.assertEqual(sorted(os.listdir(self.directory)), ["ours.json", "out.json"])

    def test_nothing_is_opened_but_input_and_output(self):
        """What the system is asked for while a file full of addresses is worked on, seen with strace."""
        strace = shutil.which("strace")
        if strace is None:
            self.skipTest("strace is not installed")
        with open(TOOL, "rb") as program:
            if b"__ubsan" in program.read():
                self.skipTest("a sanitizer opens files of its own")
        bait = self.write("bait", "x")
        document = f1(history=[{"role": "u", "items": [{"type": t, "uri": u} for t in ("image", "audio", "binary")
                                                       for u in ("file://" + bait, bait, "http://127.0.0.1:9/x",
                                                                 "data:text/plain;base64,eA==")] +
                                [{"type": "file", "file": bait}]}],
                      participants=[{"id": "1", "name": bait, "type": bait}],
                      channels=[{"channelkey": bait, "channeltype": bait, "statekind": "text", "channelstate": bait}])
        ours, out, log = self.write("ours.json", document), self.path("out.json"), self.path("log")
        allowed = {ours, out, self.directory, "/etc/ld.so.cache", "/etc/ld.so.preload"}
        for command in (["check", ours], ["show", "--full", ours], ["participants", ours], ["channels", ours],
                        ["digest", "--all", ours], ["diff", ours, ours],
                        ["view", ours], ["view", "--output", out, ours], ["diff", "--html", ours, ours],
                        ["convert", "--to", "semantic-kernel", ours, out], ["convert", "--to", "agentchat", ours, out]):
            done = subprocess.run([strace, "-f", "-qq", "-o", log, "-e", "trace=open,openat,openat2,execve,execveat,fork,"
                                   "vfork,clone,clone3,socket,connect,unlink,unlinkat,rename,renameat,renameat2,symlink,"
                                   "symlinkat,link,linkat,mkdir,mkdirat,chmod,fchmodat,memfd_create", TOOL, *command],
                                  capture_output=True, timeout=120, check=False)
            if not os.path.exists(log) or "PTRACE" in done.stderr.decode(errors="replace"):
                self.skipTest("this system does not let strace trace")
            with open(log, encoding="utf-8", errors="replace") as lines:
                calls = lines.read().splitlines()
            self.assertEqual(len([c for c in calls if "execve(" in c]), 1, calls)
            for call in calls:
                self.assertNotRegex(call, r"\b(v?fork|clone3?|socket|connect|symlink(at)?|link(at)?|mkdir(at)?|memfd_create|"
                                    r"chmod|fchmodat|unlink(at)?)\(")
                if "open" not in call.split("(")[0] or "ENOENT" in call:
                    continue
                name = call.split('"')[1].rstrip("/")
                # Libraries; the configuration that libcrypto reads; the temporary file beside the output; the output, for
                # a look at its rights.
                known = (name in allowed or (name == "out.json" and "O_RDONLY" in call) or ".so" in os.path.basename(name) or name.endswith("openssl.cnf") or
                         name.startswith(".agentchat-"))
                if name.startswith(".agentchat-"):
                    self.assertIn("O_EXCL", call)
                    self.assertIn("0600", call)
                self.assertTrue(known, call)

    # ---- what stands where a file is expected --------------------------------------------------------------------

    def convert(self, target):
        source = self.write("in.json", f1(history=[{"role": "u"}]))
        return run("convert", "--to", "agentchat", source, target)

    def test_new_files_are_private(self):
        os.umask(0)
        self.assertEqual(self.convert(self.path("out.json")).returncode, 0)
        self.assertEqual(stat.S_IMODE(os.stat(self.path("out.json")).st_mode), 0o600)

    def test_modes_are_kept_but_for_set_id(self):
        out = self.write("out.json", "old")
        os.chmod(out, 0o6644)
        self.assertEqual(self.convert(out).returncode, 0)
        self.assertEqual(stat.S_IMODE(os.stat(out).st_mode), 0o644)

    def test_links_at_the_target_are_followed_and_stay(self):
        os.mkdir(self.path("elsewhere"))
        victim = self.write("elsewhere/victim.json", "old")
        os.symlink(victim, self.path("link"))
        os.symlink("link", self.path("link2"))
        self.assertEqual(self.convert(self.path("link2")).returncode, 0)
        self.assertTrue(os.path.islink(self.path("link")) and os.path.islink(self.path("link2")))
        self.assertFalse(os.path.islink(victim))
        with open(victim, encoding="utf-8") as file:
            self.assertIn('"agentchat"', file.read())
        self.assertEqual(os.listdir(self.path("elsewhere")), ["victim.json"])

    def test_other_names_of_the_old_file_keep_the_old_content(self):
        old = self.write("old.json", "old")
        os.link(old, self.path("out.json"))
        self.assertEqual(self.convert(self.path("out.json")).returncode, 0)
        with open(old, encoding="utf-8") as file:
            self.assertEqual(file.read(), "old")

    def test_links_in_a_circle_are_an_error(self):
        os.symlink("b", self.path("a"))
        os.symlink("a", self.path("b"))
        for name in ("a", "b"):
            self.assertEqual(self.convert(self.path(name)).returncode, 2)
            self.assertEqual(run("check", self.path(name)).returncode, 2)
        self.assertEqual(sorted(os.listdir(self.directory)), ["a", "b", "in.json"])

    def test_nothing_under_a_temporary_name_is_touched(self):
        """Whoever may write into the directory knows the names: a link, a FIFO, a directory or a file that somebody holds
        under them is neither followed nor changed nor removed. Only what a killed saver has left is."""
        name = "out.json"
        number = 0xCBF29CE484222325
        for byte in name.encode():
            number = (number ^ byte) * 0x100000001B3 % 2**64
        slots = [self.path(f".agentchat-{number:016x}-{slot}.tmp") for slot in range(16)]
        victim = self.write("victim", "precious")
        os.symlink("victim", slots[0])
        os.link(victim, slots[1])
        os.mkfifo(slots[2])
        os.mkdir(slots[3])
        self.write(slots[4], "left over")
        with open(self.write(slots[5], "held"), "rb") as held:
            fcntl.flock(held, fcntl.LOCK_SH)
            for _ in range(2):
                self.assertEqual(self.convert(self.path(name)).returncode, 0)
        present = [os.path.basename(slot) for slot in slots[:4] + slots[5:6]]
        self.assertEqual(sorted(os.listdir(self.directory)), sorted(present + ["victim", "in.json", name]))
        with open(victim, encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious")
        self.assertTrue(os.path.islink(slots[0]))
        for slot in slots[6:]: # the rest, too: there is another name
            os.mkfifo(slot)
        os.mkfifo(slots[4])
        self.assertEqual(self.convert(self.path(name)).returncode, 0)
        self.assertEqual(len(os.listdir(self.directory)), 15 + 3) # without the one that is held no more

    def test_the_temporary_file_goes_away(self):
        """What fails leaves nothing."""
        os.mkdir(self.path("target"))
        self.assertEqual(self.convert(self.path("target")).returncode, 2)
        half = self.write("half.json", f1()[:-3])
        self.assertEqual(run("convert", "--to", "agentchat", half, self.path("out.json")).returncode, 2)
        self.assertEqual(sorted(os.listdir(self.directory)), ["half.json", "in.json", "target"])

    def test_directories_are_an_error(self):
        self.assertEqual(run("check", self.directory).returncode, 2)
        self.assertEqual(self.convert(self.directory).returncode, 2)
        self.assertEqual(self.convert(self.directory + "/").returncode, 2)
        self.assertEqual(self.convert(self.path("none/out.json")).returncode, 2)

    def test_pipes_and_devices_are_streams(self):
        """A FIFO gives what is written into it, /dev/null nothing, and a device is never replaced by a file."""
        fifo = self.path("fifo")
        os.mkfifo(fifo)

        def feed():
            with open(fifo, "wb") as out:
                out.write(f1(history=[{"role": "u"}]).encode())

        feeder = threading.Thread(target=feed)
        feeder.start()
        done = run("check", fifo)
        feeder.join()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(run("check", "/dev/null").returncode, 1)
        before = os.stat("/dev/null")
        self.assertEqual(self.convert("/dev/null").returncode, 0)
        after = os.stat("/dev/null")
        self.assertTrue(stat.S_ISCHR(after.st_mode))
        self.assertEqual((before.st_ino, before.st_mode), (after.st_ino, after.st_mode))

    # ---- the environment -----------------------------------------------------------------------------------------

    def test_the_environment_changes_nothing(self):
        """Some count on a terminal only, and POSIXLY_CORRECT, with which options stand before files."""
        file = self.write("in.json", everything_nasty("caf\u00e9 \u65e5 1,5 I\u0131"))
        plain = {"PATH": "/usr/bin:/bin"}
        settings = {"LANG": "tr_TR.UTF-8", "LC_ALL": "de_DE.UTF-8", "LC_NUMERIC": "de_DE.UTF-8", "LANGUAGE": "de",
                    "HOME": "/nonexistent", "TMPDIR": "/nonexistent", "TERM": "xterm", "COLUMNS": "10", "LINES": "1",
                    "NO_COLOR": "", "CLICOLOR_FORCE": "1", "FORCE_COLOR": "1", "AGENTCHAT_REAL_FILES": "/", "TZ": "X-9",
                    "AGENTCHAT_LIMITS": "1", "AGENTCHAT_UPDATE": "1", "PAGER": "false", "AGENTCHAT_PAGER": "false", "LESS": "x",
                    "EDITOR": "false", "JSON_INDENT": "9", "IFS": "x", "PWD": "/nonexistent", "USER": "\x1b[2J"}
        for command in (["check", "in.json"], ["show", "--full", "in.json"], ["show", "in.json"],
                        ["participants", "in.json"], ["channels", "in.json"], ["digest", "--all", "in.json"],
                        ["diff", "in.json", "in.json"], ["diff", "--json", "in.json", "in.json"],
                        ["view", "in.json"], ["diff", "--html", "in.json", "in.json"],
                        ["convert", "--to", "semantic-kernel", "in.json", "-"], ["check", "in.json", "--json"]):
            expected = run(*command, cwd=self.directory, env=plain)
            got = run(*command, cwd=self.directory, env={**plain, **settings})
            self.assertEqual((got.returncode, got.stdout, got.stderr),
                             (expected.returncode, expected.stdout, expected.stderr), command)
        self.assertEqual(run("check", file).returncode, 0)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: attack.py AGENTCHAT [TEST...]")
    TOOL = os.path.abspath(sys.argv.pop(1))
    sys.argv[1:] = ["Attack." + name for name in sys.argv[1:]]
    unittest.main(argv=sys.argv)
