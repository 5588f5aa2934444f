"""Processes that compile: real Puppet and Headwater, warm by lines, cold as commands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FACTS = ROOT / "tests" / "peers" / "puppet" / "facts.json"
NODE = "node.example.com"
SERVER = {"servername": "oracle.example.com", "serverip": "192.0.2.1"}

MEASURE = """
import json, os, resource, subprocess, sys, time
out = open(sys.argv[1], "wb")
began = time.perf_counter()
done = subprocess.run(sys.argv[2:], stdout=out, stderr=subprocess.PIPE)
wall = time.perf_counter() - began
used = resource.getrusage(resource.RUSAGE_CHILDREN)
if done.returncode:
    sys.exit(done.stderr.decode()[-2000:])
print(json.dumps({"wall": wall, "cpu": used.ru_utime + used.ru_stime, "mb": used.ru_maxrss / 1024}))
"""
"""A small process of its own: the peak of a child counts what its parent held when it forked."""


class Refused(RuntimeError):
    """There is no catalog."""


class Server:
    """A process that compiles once for each line it is sent."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def compile(self, catalog: Path | None = None, node: str = "") -> dict[str, Any]:
        """One compilation: its seconds, and the catalog if a file for it is named."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{catalog or '-'} {node}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.process.args} ended")  # type: ignore[str-bytes-safe]
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer

    def close(self) -> None:
        """Ends the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def puppet(folder: Path, name: str, scratch: Path) -> Server:
    """Real Puppet, warm."""
    return Server(
        "ruby", str(HERE / "peer.rb"), str(folder), name, NODE, str(FACTS), str(scratch)
    )  # fmt: skip


def headwater(folder: Path, name: str, *how: str) -> Server:
    """Headwater, warm."""
    return Server(
        sys.executable, str(HERE / "ours.py"), str(folder), name, NODE, str(FACTS), *how
    )  # fmt: skip


class Jobs:
    """``headwater compile --jobs -``, as a user runs it: a line in, a line with the catalog out.

    Files are unchanging, unless ``looking``: Puppet's environments have
    ``environment_timeout = unlimited``, by which it never looks at a file again.
    """

    def __init__(self, folder: Path, name: str, *, looking: bool = False) -> None:
        self.process = subprocess.Popen(
            [str(Path(sys.executable).with_name("headwater")), "compile", "--jobs", "-",
             *([] if looking else ["--unchanged"])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        env = folder / name
        self.job: dict[str, Any] = {
            "files": [str(env / "manifests" / "site.pp")], "lang": "puppet", "env": str(env),
            "puppet": 7, "node": NODE, "facts": json.loads(FACTS.read_text()), "settings": SERVER,
        }  # fmt: skip

    def compile(self, catalog: Path | None = None, node: str = NODE) -> float:
        """Seconds of processor time from the line to the answer; writes the catalog if asked."""
        self.job["node"] = node
        job = json.dumps(self.job).encode() + b"\n"
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        before = self._used()
        self.process.stdin.write(job)
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        used = self._used() - before
        if not line.startswith(b'{"id":null,"ok":true'):
            raise Refused(line[:2000].decode())
        if catalog is not None:
            catalog.write_text(json.dumps(json.loads(line)["result"]))
        return used

    def _used(self) -> float:
        """The processor time of its one thread so far, in nanoseconds as the kernel counts."""
        return int(Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[0]) / 1e9

    def close(self) -> None:
        """Ends the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def measured(command: list[str], out: Path) -> dict[str, float]:
    """Wall time, processor time and peak memory of a command."""
    done = subprocess.run(
        [sys.executable, "-S", "-c", MEASURE, str(out), *command], capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
    answer: dict[str, float] = json.loads(done.stdout)
    return answer


def puppet_command(folder: Path, name: str, scratch: Path) -> list[str]:
    """``puppet catalog compile``, with facts from a file and nothing else on the path."""
    facts = scratch / "var" / "yaml" / "facts" / f"{NODE}.yaml"
    if not facts.exists():
        facts.parent.mkdir(parents=True, exist_ok=True)
        values = json.dumps(json.loads(FACTS.read_text()))
        head = f"--- !ruby/object:Puppet::Node::Facts\nname: {NODE}\nvalues: {values}\n"
        facts.write_text(head)
    none = str(scratch / "none")
    return [
        "puppet", "catalog", "compile", NODE, "--render-as", "json", "--confdir",
        str(scratch / "conf"), "--vardir", str(scratch / "var"), "--codedir", str(scratch / "code"),
        "--environmentpath", str(folder), "--environment", name, "--basemodulepath", none,
        "--vendormoduledir", none, "--facts_terminus", "yaml", "--node_terminus", "plain",
        "--log_level", "err", "--certname", NODE, "--rich_data",
    ]  # fmt: skip


def headwater_command(folder: Path, name: str) -> list[str]:
    """``headwater compile``"""
    env = folder / name
    return [
        str(Path(sys.executable).with_name("headwater")), "compile", "--puppet", "7",
        str(env / "manifests" / "site.pp"), "--env", str(env), "--node", NODE, "--facts",
        str(FACTS),
    ]  # fmt: skip
