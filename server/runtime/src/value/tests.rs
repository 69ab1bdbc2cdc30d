use std::sync::Arc;

use super::{Change, MOST_DEPTH, PathStep, Table, Value};
use crate::failure::Fault;
use crate::testing::{entry, int_seq};

fn set(numbers: impl IntoIterator<Item = i64>) -> Value {
    let mut table = Table::default();
    numbers.into_iter().for_each(|number| table.add(Value::Int(number), Value::Null));
    Value::Set(Arc::new(table))
}

#[test]
fn order_counts_for_identity_and_not_for_equality() {
    let (a, b) = (set([1, 2]), set([2, 1]));
    assert!(a.same(&b));
    assert_ne!(a, b);
    assert_eq!(a.same_hash(), b.same_hash());
}

#[test]
fn sets_of_sets_find_their_elements_whatever_the_order() {
    let mut table = Table::default();
    table.add(set([1, 2]), Value::Null);
    assert!(table.contains(&set([2, 1])));
    assert!(!table.contains(&set([1])));
}

#[test]
fn tables_behave_the_same_with_and_without_index() {
    let mut table = Table::default();
    for number in 0..200 {
        table.add(Value::Int(number), Value::Int(number * 2));
    }
    for number in (0..200).filter(|number| number % 3 == 0) {
        table.remove(&Value::Int(number));
    }
    table.add(Value::Int(0), Value::Int(7));
    let left: Vec<i64> = table.keys().filter_map(Value::number).collect();
    let expected: Vec<i64> = (0..200).filter(|number| number % 3 != 0).chain([0]).collect();
    assert_eq!(left, expected);
    assert_eq!(table.get(&Value::Int(100)), Some(&Value::Int(200)));
    assert_eq!(table.get(&Value::Int(99)), None);
    assert_eq!(table.nth_key(2), Some(&Value::Int(4)));
    assert_eq!(table.len(), expected.len());
}

/// Each table is changed like a plain list, around the sizes at which the index comes and goes.
#[test]
fn tables_that_shrink_and_grow_find_what_is_in_them() {
    for most in 10..30 {
        for removed in 0..most {
            let mut table = Table::default();
            let mut expected: Vec<i64> = (0..most).collect();
            expected.iter().for_each(|number| table.add(Value::Int(*number), Value::Null));
            for number in 0..removed {
                table.remove(&Value::Int(number));
                expected.retain(|known| *known != number);
            }
            for number in 100..100 + most {
                assert!(!table.contains(&Value::Int(number)));
                table.add(Value::Int(number), Value::Null);
                expected.push(number);
                let missing: Vec<&i64> = expected.iter().filter(|known| !table.contains(&Value::Int(**known))).collect();
                assert!(missing.is_empty(), "{most} without {removed}, and up to {number}: {missing:?} are not found");
            }
            assert_eq!(Value::Set(Arc::new(table)), set(expected));
        }
    }
}

#[test]
fn what_was_removed_leaves_no_trace() {
    let mut table = Table::default();
    (0..40).for_each(|number| table.add(Value::Int(number), Value::Null));
    (1..40).for_each(|number| table.remove(&Value::Int(number)));
    assert_eq!(Value::Set(Arc::new(table)), set([0]));
}

#[test]
fn elements_of_enums_equal_their_numbers() {
    let green = Value::Enum(crate::program::EnumId(0), 1);
    assert!(green.same(&Value::Int(1)));
    assert_eq!(green.same_hash(), Value::Int(1).same_hash());
}

#[test]
fn a_change_of_a_copy_is_a_change_of_the_copy_only() {
    let program = entry("");
    let original = Value::seq(vec![int_seq([1, 2]), int_seq([3])]);
    let mut copy = original.clone();
    let path = [PathStep::Index(Value::Int(1)), PathStep::Index(Value::Int(0))];
    copy.change(&program, &path, Change::Set(Value::Int(9))).expect("both indexes exist");
    assert_eq!(copy, Value::seq(vec![int_seq([1, 2]), int_seq([9])]));
    assert_eq!(original, Value::seq(vec![int_seq([1, 2]), int_seq([3])]));
}

#[test]
fn a_bad_path_is_a_fault() {
    let program = entry("");
    let mut value = int_seq([1]);
    let path = [PathStep::Index(Value::Int(1))];
    let fault = value.change(&program, &path, Change::Set(Value::Null)).expect_err("there is one element");
    assert_eq!(fault, Fault::IndexOutOfRange { index: 1, length: 1 });
}

#[test]
fn depth_and_weight_are_kept() {
    let mut value = Value::Null;
    for _ in 0..=MOST_DEPTH {
        value = Value::tuple(vec![value]);
    }
    assert!(value.is_too_large());
    let mut shared = Value::Int(0);
    for _ in 0..40 {
        shared = Value::tuple(vec![shared.clone(), shared]);
    }
    assert!(shared.is_too_large(), "as a tree it has more than 2^40 parts");
    let program = entry("");
    let mut value = Value::seq(Vec::new());
    let before = value.weight();
    value.change(&program, &[], Change::Insert(Value::Int(0), int_seq([1, 2]))).expect("0 is the end");
    value.change(&program, &[], Change::Remove(Value::Int(0))).expect("there is one");
    assert_eq!(value.weight(), before);
}
