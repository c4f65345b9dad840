import { describe, expect, it } from '@jest/globals';
import { editSteps, type StepEdit } from '../../../dashboard/journeys/edit-steps';
import type { WrittenStep } from '../../../operations/journeys/journey-file-format';

const mail = (subject: string): WrittenStep => ({ type: 'email', domain: 'a.example', subject, html: 'x' });
const wait = (duration: string): WrittenStep => ({ type: 'wait', for: duration });
const ask = (opened: number, then: WrittenStep[], otherwise: WrittenStep[] = []): WrittenStep => ({
  type: 'branch',
  if: { opened },
  then,
  else: otherwise,
});
const STEPS = [mail('a'), wait('1d'), mail('b'), ask(3, [wait('2d')], [mail('c')]), wait('3d')];
const after = (edit: StepEdit): WrittenStep[] | undefined => editSteps(STEPS, edit)?.steps;

describe('a change to the steps of a journey', () => {
  it('adds behind a step, at the beginning, and in a way of a question; the question still means its mail', () => {
    expect(editSteps(STEPS, { do: 'add', place: { after: 0 }, step: wait('9d') })).toEqual({
      number: 1,
      steps: [wait('9d'), mail('a'), wait('1d'), mail('b'), ask(4, [wait('2d')], [mail('c')]), wait('3d')],
    });
    expect(editSteps(STEPS, { do: 'add', place: { in: 4, way: 'else' }, step: wait('9d') })).toMatchObject({
      number: 6,
    });
    expect(editSteps(STEPS, { do: 'add', place: { after: 4 }, step: wait('9d') })).toMatchObject({ number: 7 });
    expect(after({ do: 'add', place: { after: 5 }, step: ask(3, []) })?.[3]).toEqual(
      ask(3, [wait('2d'), ask(3, [])], [mail('c')]),
    );
  });

  it('keeps the ways of a question that is changed, and what it asks for when its mail is', () => {
    expect(after({ do: 'replace', number: 4, step: ask(1, []) })?.[3]).toEqual(ask(1, [wait('2d')], [mail('c')]));
    expect(after({ do: 'replace', number: 3, step: mail('z') })?.slice(2, 4)).toEqual([mail('z'), STEPS[3]]);
  });

  it('removes, with all that is below it; a question whose mail is gone asks for 0', () => {
    expect(after({ do: 'remove', number: 4 })).toEqual([mail('a'), wait('1d'), mail('b'), wait('3d')]);
    expect(after({ do: 'remove', number: 3 })?.[2]).toEqual(ask(0, [wait('2d')], [mail('c')]));
    expect(after({ do: 'remove', number: 1 })?.[2]).toEqual(ask(2, [wait('2d')], [mail('c')]));
  });

  it('moves up and down, and out of a question', () => {
    expect(after({ do: 'up', number: 3 })?.slice(0, 4)).toEqual([
      ...[mail('a'), mail('b'), wait('1d'), ask(2, [wait('2d')], [mail('c')])],
    ]);
    expect(after({ do: 'down', number: 6 })?.slice(3)).toEqual([ask(3, [wait('2d')]), mail('c'), wait('3d')]);
    expect(after({ do: 'up', number: 5 })?.slice(3, 5)).toEqual([wait('2d'), ask(3, [], [mail('c')])]);
    expect(after({ do: 'up', number: 1 })).toEqual(STEPS);
    expect(after({ do: 'down', number: 7 })).toEqual(STEPS);
  });

  it('is none for a step that is not there, and leaves what it was given', () => {
    const before = structuredClone(STEPS);
    expect(editSteps(STEPS, { do: 'remove', number: 8 })).toBeNull();
    expect(editSteps(STEPS, { do: 'add', place: { after: 8 }, step: wait('1d') })).toBeNull();
    expect(editSteps(STEPS, { do: 'add', place: { in: 1, way: 'then' }, step: wait('1d') })).toBeNull();
    expect(STEPS).toEqual(before);
  });
});
