import { describe, expect, it } from '@jest/globals';
import { readJourney } from '../../../schemas/journeys/read-journey';

const CONTEXT = {
  domains: [
    { id: 1, name: 'melati.example' },
    { id: 7, name: 'news.melati.example' },
  ],
  audiences: [
    { id: 3, name: 'Pelanggan' },
    { id: 4, name: 'Sama' },
    { id: 5, name: 'Sama' },
    { id: 6, name: '3' },
  ],
};
const read = (content: string) => readJourney(content, CONTEXT);
const faults = (content: string): string[] => {
  const result = read(content);
  return result.ok ? [] : result.errors.map(({ line, reason }) => `${line} ${String(reason)}`);
};
/** A file whose steps begin on line 4. */
const withSteps = (...lines: string[]): string => ['name: Uji', 'trigger: api', 'steps:', ...lines].join('\n');
const MAIL = '{type: email, domain: 1, subject: Halo, html: <p>Halo</p>}';

const WHOLE = `# Welcome
name: "Selamat datang"
trigger: audience_join
audience: pelanggan
goal: {event: click, ends: true}
steps:
  - type: email
    domain: melati.example
    subject: Selamat datang, {{nama|Kak}} # not a part of it
    html: |
      <p>Halo {{nama|Kak}}</p>
      <p><a href="https://toko.example">Toko</a></p>
  - {type: wait, for: 1d12h}
  - type: branch
    if: {opened: 1}
    then:
      - {type: webhook, url: "https://toko.example/hook?x=1"}
      - type: branch
        if: goal
        else:
          - {type: email, domain: 7, subject: 2024, html: <p>Lagi</p>, text: Lagi}
    else:
      - {type: wait, for: 1m}
  - {type: add_to_audience, audience: 3}
  - type: branch
    if: {clicked: 6}
    then: [{type: wait, for: 365d}]
    else: []
`;

describe('the file of a journey', () => {
  it('becomes its definition, domains and audiences by name or id', () => {
    expect(read(WHOLE)).toEqual({
      ok: true,
      journey: {
        name: 'Selamat datang',
        triggerType: 'audience_join',
        audienceId: 3,
        goal: { event: 'click', ends: true },
        steps: [
          {
            kind: 'email',
            domainId: 1,
            subject: 'Selamat datang, {{nama|Kak}}',
            html: '<p>Halo {{nama|Kak}}</p>\n<p><a href="https://toko.example">Toko</a></p>\n',
            text: null,
          },
          { kind: 'wait', ms: 129_600_000 },
          {
            kind: 'branch',
            on: { kind: 'opened', step: 1 },
            then: [
              { kind: 'webhook', url: 'https://toko.example/hook?x=1' },
              {
                kind: 'branch',
                on: { kind: 'goal' },
                then: [],
                else: [{ kind: 'email', domainId: 7, subject: '2024', html: '<p>Lagi</p>', text: 'Lagi' }],
              },
            ],
            else: [{ kind: 'wait', ms: 60_000 }],
          },
          { kind: 'add_to_audience', audienceId: 3 },
          {
            kind: 'branch',
            on: { kind: 'clicked', step: 6 },
            then: [{ kind: 'wait', ms: 31_536_000_000 }],
            else: [],
          },
        ],
      },
    });
  });

  it('may be JSON, may begin with a byte order mark and end its lines with CRLF', () => {
    const json = { name: 'Uji', trigger: 'form_subscribe', steps: [{ type: 'wait', for: '3d' }] };
    const journey = {
      name: 'Uji',
      triggerType: 'form_subscribe',
      audienceId: null,
      goal: null,
      steps: [{ kind: 'wait', ms: 259_200_000 }],
    };
    expect(read(JSON.stringify(json))).toEqual({ ok: true, journey });
    const crlf = '\uFEFFname: Uji\r\ntrigger: form_subscribe\r\naudience:\r\nsteps:\r\n- type: wait\r\n  for: 3d\r\n';
    expect(read(crlf)).toEqual({ ok: true, journey });
    expect(read(`${JSON.stringify(json).slice(0, -1)}, "audience": 3, "goal": {"event": "conversion"}}`)).toEqual({
      ok: true,
      journey: { ...journey, audienceId: 3, goal: { event: 'conversion', ends: false } },
    });
  });

  // spec: docs/contract.md#steps-of-a-journey: checked whole, each fault with line and reason
  it('shows all its faults at once, in the order of their lines', () => {
    const content = `name: ''
trigger: sms
gaol: click
goal: {event: sale, ends: yes, when: now}
audience: Sama
steps:
  - {type: email, domain: mawar.example, html: "", sujbect: x}
  - {type: wait, for: 30s, url: x}
  - sms
  - {}
  - type: webhook
    url: http://toko.example/
  - {type: add_to_audience, audience: 9}
  - type: branch
    if: {opened: 2}
`;
    expect(faults(content)).toEqual([
      '1 The name field is required.',
      '2 The trigger field must be one of form_subscribe, audience_join, api.',
      '3 The gaol field is not allowed here.',
      '4 Goal: The event field must be one of conversion, click, open.',
      '4 Goal: The ends field must be one of true, false.',
      '4 Goal: The when field is not allowed here.',
      '5 The audience field must be an id: several audiences have that name (4, 5).',
      '7 Step 1: The domain field names "mawar.example", but this workspace has no such sending domain.',
      '7 Step 1: The subject field is required.',
      '7 Step 1: The html field is required.',
      '7 Step 1: The sujbect field is not allowed here. Did you mean subject?',
      '8 Step 2: The for field must be a duration from 1m to 365d, such as 30m, 12h or 3d.',
      '8 Step 2: The url field is not allowed here.',
      '9 Step 3: A step must have fields, such as type: wait.',
      '10 Step 4: The type field is required.',
      '12 Step 5: The url field must be a URL that begins with https://.',
      '13 Step 6: The audience field names "9", but this workspace has no such audience.',
      '15 Step 7: The if field must name an email step on the way to it: 1.',
      '15 Step 7: A branch must have steps in its then or else field.',
    ]);
  });

  it.each([
    ['', ['1 The file must have fields, such as name: Welcome.']],
    ['# nothing', ['1 The file must have fields, such as name: Welcome.']],
    ['- a', ['1 The file must have fields, such as name: Welcome.']],
    ['{}', ['1 The name field is required.', '1 The trigger field is required.', '1 The steps field is required.']],
    ['name: Uji\ntrigger: api\nsteps: []', ['3 The steps field must have at least one item.']],
    ['name: Uji\ntrigger: api\nsteps: 7', ['3 The steps field must be an array.']],
    ['name: [a]\ntrigger: api\nsteps: [{type: wait, for: 1d}]', ['1 The name field must be a string.']],
    [
      'name: Uji\ntrigger: api\naudience: 3\nsteps: [{type: wait, for: 1d}]',
      ['3 The audience field does not apply to the trigger api.'],
    ],
    [
      'name: Uji\ntrigger: audience_join\nsteps: [{type: wait, for: 1d}]',
      ['2 The trigger audience_join needs the field audience.'],
    ],
    ['name: Uji\ntrigger: api\ngoal: click\nsteps: [{type: wait, for: 1d}]', ['3 The goal field must be an object.']],
    [
      'name: "a\\nb"\ntrigger: api\nsteps: [{type: wait, for: 1d}]',
      ['1 The name field must not contain control characters or line feeds.'],
    ],
    [
      'name: "\\ud800"\ntrigger: api\nsteps: [{type: wait, for: 1d}]',
      ['1 The name field must not contain broken characters.'],
    ],
  ])('%j is refused', (content, expected) => {
    expect(faults(content)).toEqual(expected);
  });

  it.each([
    ['{type: wait}', '4 Step 1: The for field is required.'],
    ['{type: wait, for: 3}', '4 Step 1: The for field must be a duration from 1m to 365d, such as 30m, 12h or 3d.'],
    ['{type: wait, for: 366d}', '4 Step 1: The for field must be a duration from 1m to 365d, such as 30m, 12h or 3d.'],
    ['{type: wait, for: [1d]}', '4 Step 1: The for field must be a duration from 1m to 365d, such as 30m, 12h or 3d.'],
    ['{type: sms}', '4 Step 1: The type field must be one of email, wait, webhook, add_to_audience, branch.'],
    [
      '{type: webhook, url: https://10.0.0.1/}',
      '4 Step 1: The url field must not point to an internal or private network. For development, your administrator can allow hosts with KURIR_WEBHOOK_PRIVATE_HOSTS.',
    ],
    ['{type: webhook, url: https://a:b@x.example}', '4 Step 1: The url field must not have a user name or a password.'],
    ['{type: webhook, url: x}', '4 Step 1: The url field must be a valid URL.'],
    ['{type: branch, then: [{type: wait, for: 1d}]}', '4 Step 1: The if field is required.'],
    [
      '{type: branch, if: goal, then: [{type: wait, for: 1d}]}',
      '4 Step 1: The if field asks for the goal, but the journey has none.',
    ],
    [
      '{type: branch, if: opened, then: [{type: wait, for: 1d}]}',
      '4 Step 1: The if field must be goal, {opened: <step>} or {clicked: <step>}.',
    ],
    [
      '{type: branch, if: {opened: 1, clicked: 1}, then: [{type: wait, for: 1d}]}',
      '4 Step 1: The if field must be goal, {opened: <step>} or {clicked: <step>}.',
    ],
    [
      '{type: branch, if: {clicked: 1}, then: [{type: wait, for: 1d}]}',
      '4 Step 1: The if field must name an email step on the way to it; there is none.',
    ],
  ])('the step %s is refused', (step, expected) => {
    expect(faults(withSteps(`  - ${step}`))).toEqual([expected]);
  });

  it('a branch may ask only for mails that lead to it, and else comes behind then', () => {
    const content = withSteps(
      `  - ${MAIL}`,
      '  - type: branch',
      '    if: {opened: 3}',
      `    then: [${MAIL}]`,
      '    else:',
      '      - {type: branch, if: {opened: 3}, then: [{type: wait, for: 1d}]}',
      '  - type: branch',
      '    if: {opened: 3}',
      '    else: [{type: wait, for: 1d}]',
      '    then: [{type: wait, for: 1d}]',
    );
    expect(faults(content)).toEqual([
      '6 Step 2: The if field must name an email step on the way to it: 1.',
      '9 Step 4: The if field must name an email step on the way to it: 1.',
      '12 Step 6: The else field must come behind the then field.',
    ]);
  });

  // spec: docs/contract.md#steps-of-a-journey: at most 100 steps
  it('has at most 100 steps, those within branches included', () => {
    const waits = (count: number): string[] => Array<string>(count).fill('{type: wait, for: 1d}');
    const branch = (count: number): string =>
      withSteps(
        `  - ${MAIL}`,
        `  - {type: branch, if: {opened: 1}, then: [${waits(count).join(', ')}]}`,
        ...waits(1).map((step) => `  - ${step}`),
      );
    expect(faults(branch(97))).toEqual([]);
    expect(faults(branch(98))).toEqual(['6 A journey has at most 100 steps.']);
    expect(faults(withSteps(...waits(300).map((step) => `  - ${step}`)))).toEqual([
      '104 A journey has at most 100 steps.',
    ]);
  });

  it('has branches at most 10 deep', () => {
    const nested = (depth: number): string =>
      depth === 0 ? '{type: wait, for: 1d}' : `{type: branch, if: {opened: 1}, then: [${nested(depth - 1)}]}`;
    expect(faults(withSteps(`  - ${MAIL}`, `  - ${nested(10)}`))).toEqual([]);
    expect(faults(withSteps(`  - ${MAIL}`, `  - ${nested(11)}`))).toEqual([
      '5 Step 12: Branches may be nested at most 10 deep.',
    ]);
  });
});

describe('YAML that a journey does not need', () => {
  it.each([
    ['name: a\nname: b', '2 The name field is here twice, first on line 1.'],
    [
      'name: &a x\ntrigger: *a',
      '1 Anchors (&) do not belong here.',
      '2 Aliases (*) do not belong here: write the value out.',
    ],
    ['name: !!str x', '1 Tags (!) do not belong here.'],
    ['%YAML 1.1\n---\nname: x', '1 Directives (%) do not belong here.'],
    ['name: x\n---\nname: y', '2 The file must hold one YAML document only.'],
    ['? [a]\n: x', '1 A key must be a plain word.'],
    ['name: x\n<<: y', '2 The << field is not allowed here.'],
    ['__proto__: x', '1 The __proto__ field is not allowed here.'],
  ])('%j is refused', (content, ...expected) => {
    expect(faults(content)).toEqual(expect.arrayContaining(expected));
  });

  it.each([
    ['name: [x', '1 This is not valid YAML:'],
    ['name:\n\tx: 1', '2 This is not valid YAML:'],
    ['name: "x', '1 This is not valid YAML:'],
    ['name: x\n trigger: y', '1 This is not valid YAML:'],
  ])('%j is no YAML, and nothing else is said of it', (content, expected) => {
    const all = faults(content);
    expect(all.length).toBeGreaterThan(0);
    expect(all.every((fault) => / This is not valid YAML: .*\.$/.test(fault))).toBe(true);
    expect(all[0]).toContain(expected);
  });

  it.each([
    ['['.repeat(100_000)],
    ['- '.repeat(100_000)],
    ['{a: '.repeat(100_000)],
    ['? '.repeat(100_000)],
    [`a:\n${Array.from({ length: 2_000 }, (_, depth) => `${' '.repeat(depth + 1)}a:\n`).join('')}`],
  ])('of any depth, it exhausts no stack', (content) => {
    expect(faults(content)).toEqual([expect.stringMatching(/^\d+ This is nested too deeply\.$/)]);
  });

  it.each([
    ['- a\n', 1_000_000],
    ['"a" ', 700_000],
    ['!a ', 1_000_000],
    ['{}', 1_500_000],
    ['# a\n', 700_000],
    ['\n', 3_000_000],
  ])('of %j again and again is refused before it is read whole', (piece, times) => {
    const before = process.cpuUsage();
    expect(faults(piece.repeat(times))).toEqual([
      expect.stringMatching(/^\d+ The file has too many parts for a journey\.$/),
    ]);
    // Its own time, µs: a busy machine is no failure. Whole, each took 4 s or much more.
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
  });

  it.each([['k'], ['']])('of 20,000 keys, double or not, is refused with the first 100 faults (%j)', (end) => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `k${end === '' ? n : end}: 1`);
    const all = faults(lines.join('\n'));
    expect(all).toHaveLength(100);
    expect(all[0]).toMatch(/^[12] /);
  });
});
