//! A headless Chromium, driven through its pipe: the DevTools protocol as lines of JSON that end with NUL.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A browser with one page.
pub struct Browser {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    next: u64,
    session: Option<String>,
    events: VecDeque<(String, Value)>,
}

impl Browser {
    /// Starts one, which keeps what it must in a folder.
    pub fn start(profile: &Path) -> Browser {
        // The pipe is at descriptors 3 and 4. Background work would look for hosts that are not there.
        let flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
                     --disable-component-update --disable-sync --disable-extensions --remote-debugging-pipe";
        let script = format!("exec chromium {flags} --user-data-dir=\"$1\" 3<&0 4>&1 < /dev/null > \"$1.log\" 2>&1");
        let mut process = Command::new("sh")
            .args(["-c", &script, "sh"])
            .arg(profile)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
        let mut browser = Browser { process, to, from, next: 0, session: None, events: VecDeque::new() };
        let page = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let session = browser.call("Target.attachToTarget", json!({"targetId": page["targetId"], "flatten": true}));
        browser.session = Some(session["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Calls a method of the protocol.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut message = json!({"id": self.next, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        self.to.flush().unwrap();
        loop {
            let answer = self.read();
            if answer["id"] == json!(self.next) {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
            self.keep(answer);
        }
    }

    fn read(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.from.read_until(0, &mut bytes).unwrap();
        assert_eq!(bytes.pop(), Some(0), "the browser ended");
        serde_json::from_slice(&bytes).unwrap()
    }

    fn keep(&mut self, message: Value) {
        if let Some(method) = message["method"].as_str() {
            self.events.push_back((method.to_owned(), message["params"].clone()));
        }
    }

    /// Opens an address and waits until everything on the page is there. What happened before is forgotten.
    pub fn open(&mut self, address: &str) {
        self.events.clear();
        let opened = self.call("Page.navigate", json!({"url": address}));
        assert!(opened["errorText"].is_null(), "{address}: {opened}");
        // Another anchor of the same page loads nothing.
        if !opened["loaderId"].is_null() {
            self.wait("Page.loadEventFired");
        }
    }

    /// Waits for an event; it stays among those that [`events`](Self::events) gives.
    pub fn wait(&mut self, event: &str) {
        while !self.events.iter().any(|(method, _)| method == event) {
            let message = self.read();
            self.keep(message);
        }
    }

    /// What happened since the page was opened.
    pub fn events(&self) -> impl Iterator<Item = &(String, Value)> {
        self.events.iter()
    }

    /// Forgets what happened.
    pub fn forget(&mut self) {
        self.events.clear();
    }

    /// The value of an expression of JavaScript; of a promise, what it comes to.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let params =
            json!({"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true});
        let result = self.call("Runtime.evaluate", params);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }

    /// The window is so large.
    pub fn resize(&mut self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500});
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Presses and releases a key, such as `Enter`; of a printable one, its character.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            "ArrowUp" => 38,
            "ArrowDown" => 40,
            _ => 0,
        };
        let mut down = json!({"type": "keyDown", "key": key, "windowsVirtualKeyCode": code});
        match key {
            "Enter" => down["text"] = json!("\r"),
            key if key.chars().count() == 1 => down["text"] = json!(key),
            _ => {}
        }
        self.call("Input.dispatchKeyEvent", down);
        self.call("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code}));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
