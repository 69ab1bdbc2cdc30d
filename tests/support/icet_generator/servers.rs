//! Processes that serve others for ever, and those who ask them.
//!
//! Invariant: a server has one case for each kind of request, which nothing else is sent as, and whoever asks for a service waits
//! for all that the server sends in return.

use super::dialog::local_work;
use super::sketch::{Block, MessageId, Sketch, Stmt, Type, block, line};

/// A process that serves; its members do, if it is one of a set.
pub(super) struct Server {
    pub process: usize,
    services: Vec<Service>,
}

struct Service {
    request: MessageId,
    /// Whose requests it takes; `None` for everybody's.
    only: Option<usize>,
    reply: Option<MessageId>,
    /// After the reply, the server waits for this from the one it serves.
    release: Option<MessageId>,
    /// What stands behind `case`.
    reception: String,
    body: Block,
}

impl Server {
    pub(super) fn new(process: usize) -> Self {
        Self { process, services: Vec::new() }
    }

    /// What a client does who asks this server, which it calls `name`, for something. Makes up a new service if none fits.
    pub(super) fn call(&mut self, sketch: &mut Sketch, client: usize, name: &str, second: Option<&mut Server>) -> Block {
        let fits = |service: &Service| service.only.is_none_or(|only| only == client);
        let fitting: Vec<usize> = (0..self.services.len()).filter(|&at| fits(&self.services[at])).collect();
        if fitting.is_empty() || (self.services.len() < 3 && sketch.percent(40)) {
            let service = self.new_service(sketch, client, second);
            self.services.push(service);
            return ask(sketch, client, name, &self.services[self.services.len() - 1]);
        }
        let at = sketch.one_of(&fitting);
        ask(sketch, client, name, &self.services[at])
    }

    fn new_service(&self, sketch: &mut Sketch, client: usize, second: Option<&mut Server>) -> Service {
        let carries = match sketch.random.below(4) {
            0 => Some(Type::Pid),
            _ => sketch.plain_payload(),
        };
        let request = sketch.new_message(carries);
        let only = sketch.percent(50).then_some(client);
        let (who_type, source) = match only {
            Some(client) if sketch.is_set(client) => (sketch.member_type(client), sketch.set_of(client)),
            Some(client) => (Type::Pid, sketch.name(client)),
            None => (Type::Pid, "any"),
        };
        // The client says where it wants the answer, or it gets it where it is.
        let (who, stores, from) = if carries == Some(Type::Pid) {
            let who = sketch.own_var(self.process, "address", Type::Pid, None);
            (who.clone(), vec![who], source.to_owned())
        } else {
            let who = sketch.own_var(self.process, "asker", who_type, None);
            let stores = carries.map(|ty| sketch.var(self.process, ty)).into_iter().collect();
            (who.clone(), stores, format!("{who} in {source}"))
        };
        let reply = (carries == Some(Type::Pid) || sketch.percent(85)).then(|| sketch.plain_message());
        let release = (reply.is_some() && sketch.percent(20)).then(|| sketch.new_message(None));
        let mut body = if sketch.percent(50) { local_work(sketch, self.process) } else { Vec::new() };
        if let Some(second) = second
            && sketch.percent(60)
        {
            let name = sketch.name(second.process);
            body.extend(second.call(sketch, self.process, name, None));
        }
        body.extend(reply.map(|reply| sketch.send(self.process, reply, &who)));
        body.extend(release.map(|release| sketch.receive(self.process, release, &who)));
        Service { request, only, reply, release, reception: sketch.reception(request, &stores, &from), body }
    }

    /// The endless loop.
    pub(super) fn code(mut self, sketch: &mut Sketch) -> Block {
        if self.services.is_empty() {
            return Vec::new();
        }
        if self.services.len() == 1 && sketch.percent(50) {
            let service = self.services.remove(0);
            let mut turn = vec![line(format!("recv {};", service.reception))];
            turn.extend(service.body);
            return vec![block("while (true)", turn)];
        }
        let case = |service: Service| block(format!("case {}:", service.reception), service.body);
        let cases = self.services.into_iter().map(case).collect();
        vec![block("while (true)", vec![block("recv", cases)])]
    }
}

fn ask(sketch: &mut Sketch, client: usize, name: &str, service: &Service) -> Block {
    let mut asked = vec![sketch.send(client, service.request, name)];
    asked.extend(service.reply.map(|reply| sketch.receive(client, reply, name)));
    asked.extend(service.release.map(|release| sketch.send(client, release, name)));
    asked
}

/// Picks a member of a set of servers and asks it for something; sometimes without being sure that there is one.
pub(super) fn call_picked(sketch: &mut Sketch, client: usize, pool: &mut Server) -> Block {
    let Some(set) = sketch.processes[pool.process].set else { return Vec::new() };
    let set_name = sketch.sets[set];
    let chosen = sketch.own_var(client, "chosen", Type::Member(set), None);
    let mut asked = vec![line(format!("pick {chosen} in {set_name};"))];
    asked.extend(pool.call(sketch, client, &chosen, None));
    match sketch.random.below(10) {
        0 => asked,
        1..=5 => {
            sketch.claim(format!("assume card({set_name}) > 0"));
            asked
        }
        _ => vec![Stmt::Blocks(vec![(format!("if (card({set_name}) > 0)"), asked)])],
    }
}
