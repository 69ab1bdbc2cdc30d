//! Reads what Lockstep has recorded (`server/explore/src/symbolic/recording.rs` says how it is written).

use std::collections::BTreeSet;

pub struct Recording {
    pub lines: Vec<Line>,
    /// Guards that nobody needs after a line.
    pub last_uses: Vec<Vec<usize>>,
    pub guards: usize,
    pub variables: usize,
    pub operations: usize,
}

pub enum Line {
    Input { number: usize, nodes: Vec<(u16, usize, usize)>, is_true: bool },
    Operation { operation: char, a: usize, b: usize, result: usize, gone: Vec<u16> },
}

impl Recording {
    pub fn of(text: &str) -> Self {
        let mut lines: Vec<Line> = text.lines().map(line).collect();
        let variables = without_gaps(&mut lines);
        let mut last = vec![0; 0];
        for (number, line) in lines.iter().enumerate() {
            for guard in guards(line) {
                if guard >= last.len() {
                    last.resize(guard + 1, 0);
                }
                last[guard] = number;
            }
        }
        let mut last_uses = vec![Vec::new(); lines.len()];
        for (guard, line) in last.iter().enumerate() {
            last_uses[*line].push(guard);
        }
        let operations = lines.iter().filter(|line| matches!(line, Line::Operation { .. })).count();
        Self { last_uses, guards: last.len(), variables, operations, lines }
    }
}

fn guards(line: &Line) -> Vec<usize> {
    match line {
        Line::Input { number, .. } => vec![*number],
        Line::Operation { a, b, result, .. } => vec![*a, *b, *result],
    }
}

fn line(text: &str) -> Line {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |word: &str| word.parse::<usize>().expect("a number");
    if words[0] == "i" {
        let is_true = words.get(2) == Some(&"true");
        let nodes = words[2..].iter().filter(|_| !is_true).map(|word| {
            let parts: Vec<usize> = word.split(':').map(number).collect();
            (u16::try_from(parts[0]).expect("a variable"), parts[1], parts[2])
        });
        return Line::Input { number: number(words[1]), nodes: nodes.collect(), is_true };
    }
    let gone = words.get(4).map(|word| word.split(',').map(|word| word.parse().expect("a variable")).collect());
    Line::Operation {
        operation: words[0].chars().next().unwrap_or_default(),
        a: number(words[1]),
        b: number(words[2]),
        result: number(words[3]),
        gone: gone.unwrap_or_default(),
    }
}

/// Numbers the variables that occur from 0, in their order. Gives how many there are.
fn without_gaps(lines: &mut [Line]) -> usize {
    let mut all = BTreeSet::new();
    for line in lines.iter() {
        match line {
            Line::Input { nodes, .. } => all.extend(nodes.iter().map(|node| node.0)),
            Line::Operation { gone, .. } => all.extend(gone.iter().copied()),
        }
    }
    let all: Vec<u16> = all.into_iter().collect();
    let place = |variable: &mut u16| *variable = u16::try_from(all.partition_point(|other| *other < *variable)).expect("few");
    for line in lines.iter_mut() {
        match line {
            Line::Input { nodes, .. } => nodes.iter_mut().for_each(|node| place(&mut node.0)),
            Line::Operation { gone, .. } => gone.iter_mut().for_each(place),
        }
    }
    all.len()
}
