// SPDX-License-Identifier: Apache-2.0
//! Reads events, one a line, as ADK-Rust does, and writes each as it does; "error: …" where it refuses one.
use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        match serde_json::from_str::<adk_core::Event>(&line?) {
            Ok(event) => writeln!(out, "{}", serde_json::to_string(&event)?)?,
            Err(error) => writeln!(out, "error: {error}")?,
        }
    }
    Ok(())
}
