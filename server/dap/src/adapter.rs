//! Answers requests: the thin layer between the protocol and a session.
//!
//! One request at a time, each answered before the events it causes. A mistake of ours in one request is an error in its answer, and
//! the session goes on.

mod breakpoints;
mod looks;
mod running;

use std::io::{self, BufRead, ErrorKind, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::Load;
use crate::protocol::{
    BUG, GoToStep, Goto, Initialize, Launch, OfFrame, OfThread, Request, SetExceptionBreakpoints, capabilities,
};
use crate::session::{Reason, Session, Stopped};
use crate::wire::{self, Incoming};
use running::{Numbers, Running};

pub(crate) fn serve(input: &mut dyn BufRead, output: &mut dyn Write, load: &mut Load<'_>) -> io::Result<bool> {
    let mut adapter = Adapter { load, running: None, numbers: Numbers::default(), events: Vec::new(), is_over: false };
    let mut seq = 0;
    let result = loop {
        let messages = match wire::read(input)? {
            None => break Ok(()),
            Some(Incoming::Message(message)) => adapter.answer(message),
            Some(Incoming::Broken(why)) => vec![event("output", &console(&format!("{why}\n")))],
        };
        let written = messages.into_iter().try_for_each(|mut message| {
            seq += 1;
            message["seq"] = json!(seq);
            wire::write(output, &message)
        });
        if written.is_err() || adapter.is_over {
            break written;
        }
    };
    match result {
        // A client that is gone does not want to hear more.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        _ => Ok(adapter.is_over),
    }
}

struct Adapter<'a, 'b> {
    load: &'a mut Load<'b>,
    running: Option<Running>,
    /// Who counts lines and columns from where.
    numbers: Numbers,
    /// To be sent after the answer.
    events: Vec<Value>,
    is_over: bool,
}

/// The body of an answer, or why there is none.
type Answer = Result<Value, String>;

impl Adapter<'_, '_> {
    /// The answer to a message, and the events that follow.
    fn answer(&mut self, message: Value) -> Vec<Value> {
        let Ok(request) = serde_json::from_value::<Request>(message) else { return Vec::new() };
        if request.kind != "request" {
            return Vec::new();
        }
        // Nothing is left half done that could not be seen: a session is a cursor and lists.
        let done = catch_unwind(AssertUnwindSafe(|| self.request(&request.command, &request.arguments)));
        let answer = done.unwrap_or_else(|_| Err(format!("`{}` failed: this is a mistake in Lockstep", request.command)));
        let mut response = json!({ "type": "response", "request_seq": request.seq, "command": request.command });
        match answer {
            Ok(body) => {
                response["success"] = json!(true);
                if !body.is_null() {
                    response["body"] = body;
                }
            }
            Err(why) => {
                response["success"] = json!(false);
                response["message"] = json!(why);
                // What an editor only looks at is not worth a message to the user.
                let is_for_user =
                    matches!(request.command.as_str(), "launch" | "attach" | "goto" | "restartFrame" | "lockstep/goToStep");
                let format = why.replace(['{', '}'], "'");
                response["body"] = json!({ "error": { "id": 1, "format": format, "showUser": is_for_user } });
            }
        }
        [response].into_iter().chain(self.events.drain(..)).collect()
    }

    fn request(&mut self, command: &str, arguments: &Value) -> Answer {
        match command {
            "initialize" => {
                let Initialize { lines_start_at1, columns_start_at1 } = read(arguments)?;
                self.numbers = Numbers { first_line: lines_start_at1.into(), first_column: columns_start_at1.into() };
                Ok(capabilities())
            }
            "launch" => self.launch(&read(arguments)?),
            "attach" => Err("a trace is launched: there is nothing to attach to".to_owned()),
            "disconnect" => {
                self.is_over = true;
                Ok(Value::Null)
            }
            "terminate" => {
                self.running = None;
                self.events.push(event("terminated", &json!({})));
                Ok(Value::Null)
            }
            "pause" | "cancel" => Ok(Value::Null),
            _ => {
                let running = self.running.as_mut().ok_or("no trace has been launched")?;
                let answer = running.request(command, arguments)?;
                self.events.append(&mut running.events);
                Ok(answer)
            }
        }
    }

    fn launch(&mut self, launch: &Launch) -> Answer {
        let loaded = (self.load)(launch)?;
        let running = Running::new(loaded, self.numbers, launch.stop_on_entry)?;
        self.events.push(event("output", &console(&running.greeting())));
        // From now on breakpoints can be placed.
        self.events.push(event("initialized", &json!({})));
        self.running = Some(running);
        Ok(Value::Null)
    }
}

impl Running {
    fn request(&mut self, command: &str, arguments: &Value) -> Answer {
        match command {
            "configurationDone" => self.start(),
            "setBreakpoints" => self.set_breakpoints(&read(arguments)?),
            "setFunctionBreakpoints" => self.set_function_breakpoints(&read(arguments)?),
            "setDataBreakpoints" => self.set_data_breakpoints(&read(arguments)?),
            "dataBreakpointInfo" => self.data_breakpoint_info(&read(arguments)?),
            "breakpointLocations" => self.breakpoint_locations(&read(arguments)?),
            "setExceptionBreakpoints" => {
                let SetExceptionBreakpoints { filters } = read(arguments)?;
                self.session.stops.at_bug = filters.iter().any(|filter| filter == BUG);
                Ok(Value::Null)
            }
            "continue" => {
                self.go(|session| session.resume())?;
                Ok(json!({ "allThreadsContinued": true }))
            }
            "reverseContinue" => self.go(|session| session.reverse()),
            "stepIn" => self.go(|session| session.step_in()),
            "stepBack" => self.go(|session| session.step_back()),
            "next" | "stepOut" => {
                let OfThread { thread_id } = read(arguments)?;
                let actor = self.actor(thread_id)?;
                self.go(|session| if command == "next" { session.next(&actor) } else { session.step_out(&actor) })
            }
            "gotoTargets" => self.goto_targets(&read(arguments)?),
            "goto" => {
                let Goto { target_id } = read(arguments)?;
                let target = usize::try_from(target_id).ok().and_then(|target| self.targets.get(target).copied());
                let target = target.ok_or("this target is not known any more")?;
                self.go(|session| session.go_to(target))
            }
            "restartFrame" => {
                let OfFrame { frame_id } = read(arguments)?;
                let (actor, depth) = self.frame(frame_id)?;
                let depth = depth.ok_or("a state is not a function: nothing was called")?;
                let stopped = self.session.restart(&actor, depth).ok_or("it is not known where this function was entered")?;
                self.stopped(stopped);
                Ok(Value::Null)
            }
            "lockstep/goToStep" => {
                let GoToStep { step } = read(arguments)?;
                let steps = self.session.story().moments.len();
                let stopped = self.session.go_to_step(step).ok_or_else(|| format!("there are steps from 1 to {steps}"))?;
                self.stopped(stopped);
                Ok(Value::Null)
            }
            "lockstep/steps" => Ok(self.steps()),
            "threads" => Ok(self.threads()),
            "stackTrace" => self.stack_trace(&read(arguments)?),
            "scopes" => self.scopes(&read(arguments)?),
            "variables" => self.variables(&read(arguments)?),
            "evaluate" => self.evaluate(&read(arguments)?),
            "exceptionInfo" => self.exception_info(),
            "loadedSources" => Ok(self.loaded_sources()),
            _ => Err(format!("`{command}` is not supported")),
        }
    }

    /// Everything is set up: goes to where the client wants to begin.
    fn start(&mut self) -> Answer {
        if self.stop_on_entry {
            let stopped = self.session.stopped(Reason::Entry, Vec::new());
            self.stopped(stopped);
            return Ok(Value::Null);
        }
        self.go(|session| session.resume())
    }

    fn go(&mut self, walk: impl FnOnce(&mut Session) -> Stopped) -> Answer {
        let stopped = walk(&mut self.session);
        self.stopped(stopped);
        Ok(Value::Null)
    }

    /// Tells of a stop. What was looked at before is not there any more.
    fn stopped(&mut self, stopped: Stopped) {
        self.forget();
        if !stopped.printed.is_empty() {
            let text: String = stopped.printed.iter().map(|line| format!("{line}\n")).collect();
            self.events.push(event("output", &json!({ "category": "stdout", "output": text })));
        }
        let session = &self.session;
        let (step, steps) = (session.step(), session.story().moments.len());
        let description = format!("step {step} of {steps}");
        let (reason, hits, description) = match stopped.reason {
            Reason::Entry => ("entry", Vec::new(), "the beginning of the trace".to_owned()),
            Reason::Step => ("step", Vec::new(), description),
            Reason::Lines(hits) => ("breakpoint", hits, description),
            Reason::Names(hits) => ("function breakpoint", hits, description),
            Reason::Data(hits) => ("data breakpoint", hits, description),
            Reason::Goto => ("goto", Vec::new(), description),
            Reason::Bug => ("exception", Vec::new(), "the bug".to_owned()),
            Reason::End => ("pause", Vec::new(), "the end of the trace".to_owned()),
        };
        let mut body = json!({
            "reason": reason,
            "description": description,
            "threadId": self.thread(&stopped.actor),
            "allThreadsStopped": true,
        });
        if !hits.is_empty() {
            body["hitBreakpointIds"] = json!(hits);
        }
        body["text"] = json!(session.step_words(step));
        self.events.push(event("stopped", &body));
    }
}

fn read<'a, T: Deserialize<'a>>(arguments: &'a Value) -> Result<T, String> {
    let nothing = arguments.is_null();
    T::deserialize(if nothing { &EMPTY } else { arguments }).map_err(|why| format!("the request is not understood: {why}"))
}

/// Some clients leave out the arguments of requests that need none.
static EMPTY: std::sync::LazyLock<Value> = std::sync::LazyLock::new(|| json!({}));

fn event(name: &str, body: &Value) -> Value {
    json!({ "type": "event", "event": name, "body": body })
}

fn console(text: &str) -> Value {
    json!({ "category": "console", "output": text })
}
