import { describe, expect, it } from '@jest/globals';
import { journeyMermaid } from '../../../operations/journeys/journey-mermaid';
import { journeyTree } from '../../../operations/journeys/journey-tree';
import type { Journey, JourneyStep } from '../../../domain/journeys/journey';
import { aJourney } from '../../support/marketing';

const NAMES = { domains: new Map([[1, 'melati.example']]), audiences: new Map([[3, 'Pelanggan']]) };
const WAIT: JourneyStep = { kind: 'wait', ms: 131_400_000 };
const MAIL: JourneyStep = { kind: 'email', domainId: 1, subject: 'Halo', html: '<p>Halo</p>', text: null };
const journey = (overrides: Partial<Journey>): Journey => ({ ...aJourney(1, overrides), id: 1, version: 1 });

const WHOLE = journey({
  triggerType: 'audience_join',
  audienceId: 3,
  goal: { event: 'click', ends: true },
  steps: [
    MAIL,
    { ...WAIT },
    {
      kind: 'branch',
      on: { kind: 'opened', step: 1 },
      then: [
        { kind: 'webhook', url: 'https://toko.example/h' },
        { kind: 'branch', on: { kind: 'goal' }, then: [], else: [{ ...MAIL, domainId: 2, subject: 'Masih di sana?' }] },
      ],
      else: [{ ...WAIT }],
    },
    { kind: 'add_to_audience', audienceId: 3 },
  ],
});

describe('a journey as text', () => {
  it('is a tree with the numbers of its steps', () => {
    expect(journeyTree(WHOLE, NAMES)).toBe(`● audience_join: Pelanggan
◆ goal: click, ends the journey
├─ 1 email "Halo" from melati.example
├─ 2 wait 1d12h30m
├─ 3 email of step 1 opened?
│    ├─ yes
│    │  ├─ 4 webhook https://toko.example/h
│    │  └─ 5 goal reached?
│    │       ├─ yes: continues
│    │       └─ no
│    │          └─ 6 email "Masih di sana?" from 2
│    └─ no
│       └─ 7 wait 1d12h30m
└─ 8 add to audience Pelanggan
■ end
`);
  });

  it('shows what others wrote without its control characters', () => {
    const hostile = journey({ steps: [{ ...MAIL, subject: 'a\x1b[2J\nb' }] });
    expect(journeyTree(hostile, NAMES)).toContain('a\\x1b[2J\\x0ab');
  });
});

describe('a journey in Mermaid', () => {
  it('has a node for each step, and arrows to what follows', () => {
    expect(journeyMermaid(WHOLE, NAMES)).toBe(`flowchart TD
  start(("audience_join: Pelanggan"))
  s1["1: email #34;Halo#34; from melati.example"]
  s2(["2: wait 1d12h30m"])
  s3{"3: email of step 1 opened?"}
  s4[["4: webhook https://toko.example/h"]]
  s5{"5: goal reached?"}
  s6["6: email #34;Masih di sana?#34; from 2"]
  s7(["7: wait 1d12h30m"])
  s8[/"8: add to audience Pelanggan"/]
  finish(("end"))
  start --> s1
  s1 --> s2
  s2 --> s3
  s3 -- yes --> s4
  s3 -- no --> s7
  s4 --> s5
  s5 -- yes --> s8
  s5 -- no --> s6
  s6 --> s8
  s7 --> s8
  s8 --> finish
  goal{{"goal: click, ends the journey"}}
  goal -.-> finish
`);
  });

  it('lets no subject leave its label', () => {
    const hostile = journey({ steps: [{ ...MAIL, subject: '`a`"] --> x\n<b>#quot; &amp; \\' }] });
    const [label = ''] = /s1\[".*"\]/.exec(journeyMermaid(hostile, NAMES)) ?? [];
    expect(label.slice(4, -2)).not.toMatch(/["`<>&\\\n]/);
    expect(label).toContain('#96;a#96;#34;] --#62; x#92;x0a#60;b#62;#35;quot; #38;amp; #92;');
  });
});
