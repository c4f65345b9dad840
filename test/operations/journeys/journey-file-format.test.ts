import { describe, expect, it } from '@jest/globals';
import { writtenJourney } from '../../../operations/journeys/journey-file-format';
import type { JourneyDefinition, JourneyStep } from '../../../domain/journeys/journey';
import { readJourney } from '../../../schemas/journeys/read-journey';

const domains = [{ id: 1, name: 'melati.example' }];
const audiences = [
  { id: 4, name: 'Pelanggan: "baru" #1' },
  { id: 5, name: '4' },
  { id: 6, name: 'Sama' },
  { id: 7, name: 'sama' },
];
const NAMES = {
  domains: new Map(domains.map(({ id, name }) => [id, name])),
  audiences: new Map(audiences.map(({ id, name }) => [id, name])),
};
const MAIL: JourneyStep = { kind: 'email', domainId: 1, subject: '{{nama}}: *a', html: '<p>\n&x\t</p>', text: null };
const again = (of: JourneyDefinition) => readJourney(JSON.stringify(writtenJourney(of, NAMES)), { domains, audiences });

describe('a journey as its file has it', () => {
  it('is the same journey when it is read again', () => {
    const on = { kind: 'clicked', step: 1 } as const;
    const journey: JourneyDefinition = {
      name: 'no',
      triggerType: 'audience_join',
      audienceId: 4,
      goal: { event: 'open', ends: false },
      steps: [
        MAIL,
        { kind: 'wait', ms: 93_660_000 },
        { kind: 'branch', on, then: [{ ...MAIL, text: '0123' }], else: [] },
        { kind: 'branch', on: { kind: 'goal' }, then: [], else: [{ kind: 'webhook', url: 'https://a.example/' }] },
        ...[4, 5, 6, 7].map((audienceId): JourneyStep => ({ kind: 'add_to_audience', audienceId })),
      ],
    };
    expect(again(journey)).toEqual({ ok: true, journey });
  });

  it('names what has gone by its id', () => {
    const step: JourneyStep = { kind: 'add_to_audience', audienceId: 99 };
    const of: JourneyDefinition = { name: 'x', triggerType: 'api', audienceId: null, goal: null, steps: [step] };
    expect(writtenJourney(of, NAMES)).toEqual({
      name: 'x',
      trigger: 'api',
      steps: [{ type: 'add_to_audience', audience: '99' }],
    });
  });
});
