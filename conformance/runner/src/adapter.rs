//! One running adapter.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::versions::VERSION;
use crate::watchdog;

/// How long an answer may take: `CONFORMANCE_SECONDS`, or far more than any does on a busy machine.
fn time() -> Duration {
    Duration::from_secs(watchdog::setting("CONFORMANCE_SECONDS", 60))
}

/// A process that answers requests, one line each.
pub(crate) struct Adapter {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Adapter {
    /// Starts an adapter.
    pub fn start(run: &Path, root: &Path, environment: &[(&str, OsString)]) -> Result<Self, String> {
        let mut command = Command::new(run);
        command.current_dir(root).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", run.display()))?;
        watchdog::add(child.id());
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or("an adapter without output")?;
        Ok(Self { child, stdin, stdout: BufReader::new(stdout) })
    }

    /// Starts one and says hello to it.
    pub fn greeted(name: &str, run: &Path, root: &Path) -> Result<Self, String> {
        let mut adapter = Self::start(run, root, &[])?;
        let answer = adapter.ask(&json!({"op": "hello"}))?;
        let library = root.join(answer["library"].as_str().unwrap_or_default());
        let wrong = answer["status"] != 0
            || answer["language"] != name && name != "control"
            || answer["abi_version"] != VERSION
            || !library.is_file();
        if wrong {
            return Err(format!("hello was answered with {answer}"));
        }
        Ok(adapter)
    }

    /// One request and its answer; an error if the adapter died over it.
    pub fn ask(&mut self, request: &Value) -> Result<Value, String> {
        self.ask_within(request, time())
    }

    fn ask_within(&mut self, request: &Value, time: Duration) -> Result<Value, String> {
        watchdog::set(self.child.id(), Some(time));
        let line = self.exchange(request);
        watchdog::set(self.child.id(), None);
        let line = match line {
            Ok(line) if line.ends_with('\n') => line,
            _ => return Err(self.died()),
        };
        serde_json::from_str(&line).map_err(|error| {
            // Whatever it says next belongs to this request.
            watchdog::end(self.child.id());
            let start: String = line.chars().take(200).collect();
            format!("the answer is no JSON ({error}): {start}")
        })
    }

    fn exchange(&mut self, request: &Value) -> std::io::Result<String> {
        let mut text = request.to_string();
        text.push('\n');
        if let Some(stdin) = &mut self.stdin {
            stdin.write_all(text.as_bytes())?;
            stdin.flush()?;
        }
        let mut line = String::new();
        self.stdout.read_line(&mut line)?;
        Ok(line)
    }

    /// Why there was no answer.
    fn died(&mut self) -> String {
        self.stdin = None;
        let status = self.child.wait();
        match (watchdog::remove(self.child.id()), status) {
            (Some(verdict), _) => format!("the adapter gave no answer: {verdict}"),
            (None, Ok(status)) => format!("the adapter died: {status}"),
            (None, Err(error)) => format!("the adapter died: {error}"),
        }
    }

    /// Asks for leaks, then ends the adapter.
    pub fn finish(mut self) -> Result<(), String> {
        let answer = self.ask(&json!({"op": "live_handles"}))?;
        if answer["status"] != 0 || answer["count"] != 0 {
            return Err(format!("handles are left at the end: {answer}"));
        }
        self.quit()
    }

    /// Ends the adapter.
    pub fn quit(mut self) -> Result<(), String> {
        let answer = self.ask(&json!({"op": "quit"}))?;
        self.stdin = None;
        watchdog::set(self.child.id(), Some(time()));
        let status = self.child.wait().map_err(|error| error.to_string())?;
        if answer["status"] != 0 || !status.success() {
            return Err(format!("quit was answered with {answer} and {status}"));
        }
        Ok(())
    }
}

impl Drop for Adapter {
    fn drop(&mut self) {
        self.stdin = None;
        if matches!(self.child.try_wait(), Ok(None)) {
            watchdog::end(self.child.id());
            let _ = self.child.wait();
        }
        let _ = watchdog::remove(self.child.id());
    }
}
