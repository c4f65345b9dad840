import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { BOUNCE_CLASSES } from '../../../domain/bounces/bounce-class';
import { BounceRules, BUILT_IN_RULES, builtInRules } from '../../../domain/bounces/bounce-rules';
import { choicesOf, gapsOf, MAX_CHOICES, MAX_GAPS } from '../../../domain/bounces/phrase';
import { processorTime } from '../../support/processor-time';

describe('the rules', () => {
  // spec: docs/contract.md#classes-of-bounces: every rule has a sample
  test.each(BUILT_IN_RULES.map((rule) => [rule.rule, rule] as const))('%s reads its own sample', (_name, rule) => {
    expect(builtInRules.classify(rule.sample)).toMatchObject({ rule: rule.rule, class: rule.class });
  });

  it('have names that are told apart, classes that exist, and phrases in lower case with few gaps', () => {
    expect(new Set(BUILT_IN_RULES.map(({ rule }) => rule)).size).toBe(BUILT_IN_RULES.length);
    for (const rule of BUILT_IN_RULES) {
      expect(BOUNCE_CLASSES).toContain(rule.class);
      expect(rule.code ?? rule.text).toBeDefined();
      for (const phrase of [...(rule.text ?? []), ...(rule.unless ?? [])]) {
        expect(phrase).toBe(phrase.normalize('NFKC').toLowerCase());
        expect(gapsOf(phrase)).toBeLessThanOrEqual(MAX_GAPS);
        expect(choicesOf(phrase)).toBeLessThanOrEqual(MAX_CHOICES);
      }
    }
  });

  it("let an operator's rule decide first", () => {
    const rules = new BounceRules([
      { rule: 'ours', class: 'policy', text: ['code 4711 * here'], sample: '550 code 4711 is not welcome here' },
    ]);
    expect(rules.classify('550 5.1.1 Code 4711 is not welcome here')).toEqual({
      class: 'policy',
      hard: false,
      rule: 'ours',
    });
    expect(rules.classify('550 5.1.1 User unknown')).toMatchObject({ class: 'address_unknown', hard: true });
  });

  it.each([
    [['kotak ? luber'], '550 Kotak ana luber', true],
    [['kotak ? luber'], '550 Kotak surat ana luber', false],
    [['kotak ? luber'], '550 Kotak luber', false],
    [['kotak * luber'], '550 Kotak surat ana luber', true],
    [['{kotak|peti} {luber|tumpah}'], '550 Peti tumpah', true],
    [['{kotak|peti} {luber|tumpah}'], '550 Peti kosong', false],
    [['@ luber'], '550 <ana@toko.example> luber', true],
  ])('know gaps, choices and addresses: %j in %j is %j', (text, refusal, fits) => {
    const rules = new BounceRules([{ rule: 'ours', class: 'mail_too_large', text, sample: '' }]);
    expect(rules.classify(refusal).rule === 'ours').toBe(fits);
  });

  it("make an operator's rule of a hard class follow the order of evidence, unless it says hard or not", () => {
    const rule = { rule: 'ours', class: 'address_unknown', text: ['kotak hilang'], sample: '' } as const;
    const hardOf = (hard: boolean | undefined, text: string): unknown => {
      const found = new BounceRules([hard === undefined ? rule : { ...rule, hard }]).classify(text);
      return found.rule === 'ours' ? found.hard : 'another rule';
    };
    expect(hardOf(undefined, '550 Kotak hilang')).toBe(true);
    expect(hardOf(undefined, '550 5.7.1 Kotak hilang')).toBe(false);
    expect(hardOf(undefined, '550 Kotak hilang, DKIM check failed')).toBe('another rule');
    expect(hardOf(true, '550 5.7.1 Kotak hilang')).toBe(true);
    expect(hardOf(false, '550 5.1.1 Kotak hilang')).toBe(false);
    expect(hardOf(true, '450 Kotak hilang')).toBe('another rule');
  });

  it('do not look at addresses', () => {
    expect(builtInRules.classify('550 5.1.1 <spam.full@blacklist.example>: User unknown').class).toBe(
      'address_unknown',
    );
  });
});

describe('hostile texts', () => {
  test.each([
    ['recipient '.repeat(100_000)],
    [`${'user ('.repeat(100_000)}unknown`],
    ['5.1.'.repeat(100_000)],
    [`${'a@'.repeat(50_000)}b.example`],
    ['550-5.7.1 '.repeat(50_000)],
    [' '.repeat(500_000)],
    ['4'.repeat(500_000)],
    ['ﷺ'.repeat(100_000)],
  ])('are read at once: %.20s', async (text) => {
    expect(await processorTime(() => builtInRules.classify(text))).toBeLessThan(2_000);
  });

  it('of any kind have a class', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(BOUNCE_CLASSES).toContain(builtInRules.classify(text).class);
      }),
    );
  });
});
