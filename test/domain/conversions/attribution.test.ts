import { describe, expect, it } from '@jest/globals';
import { attribute, ATTRIBUTION_WINDOW, type Click } from '../../../domain/conversions/attribution';

const SOLD = 1_000_000_000;
const click = (id: string, at: number, machine: string | null = null): Click => ({
  id,
  messageId: 'm',
  at,
  link: 0,
  machine,
});

describe('the click of a sale', () => {
  // spec: docs/contract.md#attribution: machines
  it('passes over machines, later clicks and those outside the seven days, each with its reason', () => {
    const clicks = [
      click('a', SOLD - ATTRIBUTION_WINDOW - 1),
      click('b', SOLD - ATTRIBUTION_WINDOW),
      click('c', SOLD - 5),
      click('d', SOLD - 5),
      click('e', SOLD, 'HEAD'),
      click('f', SOLD + 1),
    ];
    const { chosen, passedOver } = attribute({ occurredAt: SOLD }, clicks);
    expect(chosen?.id).toBe('d');
    expect(passedOver.map(({ click: { id }, why }) => [id, why])).toEqual([
      ['f', 'after the sale'],
      ['e', 'a machine: HEAD'],
      ['c', 'a later click was chosen'],
      ['b', 'a later click was chosen'],
      ['a', 'more than 7 days before the sale'],
    ]);
  });

  it('is none when no click qualifies', () => {
    expect(attribute({ occurredAt: SOLD }, [click('a', SOLD + 1)]).chosen).toBeNull();
    expect(attribute({ occurredAt: SOLD }, [])).toEqual({ chosen: null, passedOver: [] });
  });
});
