import type { BranchCondition, JourneyStep } from '../../domain/journeys/journey';
import { readWebhookUrl } from '../../domain/webhooks/webhook-url';
import { DAY, MINUTE } from '../../lib/clock';
import { parseDuration } from '../../lib/duration';
import type { Reason } from '../../lib/reason';
import { noun } from '../rules/nouns';
import { MAX_WEBHOOK_URL, URL_FAULTS } from '../webhooks/new-webhook';
import type { Faults } from './faults';
import { FieldReader, lineOf, oneOf, textOf, type Read } from './field-reader';
import { fileFault } from './file-faults';
import type { YamlList, YamlNode } from './parse-yaml';
import { referenceTo, type JourneyFileContext } from './references';

/** Steps of a journey, those within branches included (docs/contract.md#steps-of-a-journey). */
const MAX_STEPS = 100;
/** Branches within branches. */
const MAX_BRANCHES = 10;
const MAX_SUBJECT = 255;
const MAX_BODY = 500_000;
const SHORTEST_WAIT = MINUTE;
const LONGEST_WAIT = 365 * DAY;

const TYPES = ['email', 'wait', 'webhook', 'add_to_audience', 'branch'] as const;

/** Where a step stands. */
interface Place {
  number: number;
  /** Branches around it. */
  depth: number;
  /** The numbers of the email steps on the ways to it; those it may ask for. */
  mails: Set<number>;
}

/** What steps are read with. */
export interface StepSource {
  context: JourneyFileContext;
  faults: Faults;
  /** Whether the journey has a goal, which a branch may ask for. */
  hasGoal: boolean;
}

/** Reads the steps of a journey and notes all that is wrong with them. */
export class StepsReader {
  private count = 0;

  constructor(private readonly source: StepSource) {}

  readAll(list: YamlList): JourneyStep[] {
    return this.readList(list, 0, new Set());
  }

  /** Adds the email steps to `mails`. */
  private readList({ items }: YamlList, depth: number, mails: Set<number>): JourneyStep[] {
    return items.flatMap((item) => {
      if (this.count >= MAX_STEPS) {
        if (this.count === MAX_STEPS) this.source.faults.add(item.line, fileFault('steps', { most: MAX_STEPS }));
        this.count = MAX_STEPS + 1;
        return [];
      }
      this.count += 1;
      const step = this.readStep(item, { number: this.count, depth, mails });
      return step ? [step] : [];
    });
  }

  private readStep(item: YamlNode, place: Place): JourneyStep | null {
    const about = (reason: Reason): Reason => fileFault('step', { step: place.number, reason });
    if (item.kind !== 'map') {
      this.source.faults.add(item.line, about(fileFault('no_type')));
      return null;
    }
    const fields = new FieldReader(item, this.source.faults, about);
    const type = fields.required('type', oneOf(...TYPES));
    if (type === null) return null;
    const step = this.readType(type, fields, place);
    fields.refuseOthers();
    return step;
  }

  private readType(type: (typeof TYPES)[number], fields: FieldReader, place: Place): JourneyStep | null {
    const { context } = this.source;
    switch (type) {
      case 'email':
        place.mails.add(place.number);
        return this.readEmail(fields);
      case 'wait': {
        const ms = fields.required('for', wait);
        return ms === null ? null : { kind: 'wait', ms };
      }
      case 'webhook': {
        const url = fields.required('url', webhookUrl(context));
        return url === null ? null : { kind: 'webhook', url };
      }
      case 'add_to_audience': {
        const audienceId = fields.required('audience', referenceTo(context.audiences, noun('audience')));
        return audienceId === null ? null : { kind: 'add_to_audience', audienceId };
      }
      case 'branch':
        return this.readBranch(fields, place);
    }
  }

  private readEmail(fields: FieldReader): JourneyStep | null {
    const domainId = fields.required('domain', referenceTo(this.source.context.domains, noun('sending_domain')));
    const subject = fields.required('subject', lineOf(MAX_SUBJECT));
    const html = fields.required('html', textOf(MAX_BODY));
    const text = fields.optional('text', textOf(MAX_BODY));
    return domainId === null || subject === null || html === null
      ? null
      : { kind: 'email', domainId, subject, html, text };
  }

  private readBranch(fields: FieldReader, place: Place): JourneyStep | null {
    const on = fields.required('if', this.condition(place.mails));
    if (place.depth >= MAX_BRANCHES) {
      for (const name of ['then', 'else']) fields.has(name);
      fields.fault('if', fileFault('branches', { most: MAX_BRANCHES }));
      return null;
    }
    if (fields.isBefore('else', 'then')) fields.fault('else', fileFault('else', { field: 'else' }));
    const before = new Set(place.mails);
    const read = (name: 'then' | 'else'): JourneyStep[] => {
      const list = fields.optional(name, listOf);
      const mails = new Set(before);
      const steps = list ? this.readList(list, place.depth + 1, mails) : [];
      for (const mail of mails) place.mails.add(mail);
      return steps;
    };
    const first = this.count;
    const [then, otherwise] = [read('then'), read('else')];
    if (this.count === first) fields.fault('if', fileFault('no_steps'));
    return on && { kind: 'branch', on, then, else: otherwise };
  }

  /** `mails`: the steps it may ask for. */
  private condition(mails: ReadonlySet<number>): Read<BranchCondition> {
    return (value, refuse) => {
      if (value.kind === 'text' && value.text === 'goal') {
        return this.source.hasGoal ? { kind: 'goal' } : refuse('branch.goal');
      }
      const [name, field] = (value.kind === 'map' && value.fields.size === 1 && [...value.fields][0]) || [];
      if (!field || (name !== 'opened' && name !== 'clicked')) return refuse('branch.condition');
      const step = field.value.kind === 'text' ? Number(field.value.text) : NaN;
      if (mails.has(step)) return { kind: name, step };
      return mails.size > 0 ? refuse('branch.step', { mails: [...mails] }) : refuse('branch.none');
    };
  }
}

const listOf: Read<YamlList> = (value, refuse) => (value.kind === 'list' ? value : refuse('array.base'));

const wait: Read<number> = (value, refuse) => {
  try {
    const ms = value.kind === 'text' ? parseDuration(value.text) : NaN;
    return ms >= SHORTEST_WAIT && ms <= LONGEST_WAIT ? ms : refuse('duration.invalid');
  } catch {
    return refuse('duration.invalid');
  }
};

/** The addresses behind the name of the host are checked at every attempt. */
const webhookUrl =
  ({ mayBePrivate }: JourneyFileContext): Read<string> =>
  (value, refuse) => {
    const text = lineOf(MAX_WEBHOOK_URL)(value, refuse);
    const url = text === null ? null : readWebhookUrl(text, mayBePrivate);
    return url && !url.ok ? refuse(URL_FAULTS[url.fault]) : text;
  };
