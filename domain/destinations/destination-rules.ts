import { builtInRules, hasCode, type BounceRules } from '../bounces/bounce-rules';
import { hasPhrase, readingsOf, readPhrase, type Phrase } from '../bounces/phrase';
import { readRefusal, type RefusalText } from '../bounces/refusal-text';
import type { DestinationFile, ReplyRule, WrittenDestination, WrittenLimits } from './rules-file';
import builtIn from './rules.json';

/** The rules that Kurir comes with. */
export const BUILT_IN_FILE = builtIn as DestinationFile;

/** What one destination may get; null = no limit. */
export interface Limits {
  perMinute: number | null;
  perHour: number | null;
}

interface PreparedReply {
  rule: ReplyRule;
  text: readonly Phrase[] | null;
  unless: readonly Phrase[];
}

/** Names of RFC 2606 and RFC 6761: no DNS knows them. */
const RESERVED = /(?:^|\.)(?:test|example|invalid|localhost|example\.(?:com|net|org))$/;

/**
 * Who is behind a domain, what it may get, and what its replies mean (docs/deliverability.md#pacing-by-destination).
 */
export class DestinationRules {
  /** Whether any destination has a limit of mails. */
  readonly limitsRates: boolean;
  /** What half is half of where a destination has no limit, mails a minute. */
  readonly slowedFrom: number;
  private readonly byName = new Map<string, WrittenDestination>();
  private readonly byDomain = new Map<string, string>();
  private readonly byMx = new Map<string, string>();
  private readonly replies: readonly PreparedReply[];

  constructor(
    private readonly file: DestinationFile,
    private readonly bounces: Pick<BounceRules, 'classify'> = builtInRules,
  ) {
    for (const destination of file.destinations) {
      const { name, domains = [], mx = [] } = destination;
      this.byName.set(name, destination);
      for (const domain of domains) this.byDomain.set(domain, name);
      for (const host of mx) this.byMx.set(host, name);
    }
    this.slowedFrom = file.slowed_from.per_minute;
    this.limitsRates = [file.others, ...file.destinations].some(
      ({ per_minute: minute, per_hour: hour }) => minute !== undefined || hour !== undefined,
    );
    this.replies = file.replies.map((rule) => ({
      rule,
      text: rule.text ? phrasesOf(rule.text) : null,
      unless: phrasesOf(rule.unless ?? []),
    }));
  }

  /** The names of the destinations, in the order of the file. */
  get names(): string[] {
    return [...this.byName.keys()];
  }

  /** The destination of a domain that is known by its name; null when its MX records would have to tell. */
  known(domain: string): string | null {
    return this.byDomain.get(domain) ?? (domain === '' || RESERVED.test(domain) ? domain : null);
  }

  /** The destination of a domain by the hosts of its MX records, the preferred first; otherwise the domain itself. */
  byHosts(domain: string, hosts: readonly string[]): string {
    for (const host of hosts) {
      for (let name = host.toLowerCase().replace(/\.$/, ''); name !== ''; name = parentOf(name)) {
        const found = this.byMx.get(name);
        if (found !== undefined) return found;
      }
    }
    return domain;
  }

  limitsOf(destination: string): Limits {
    const { per_minute: perMinute, per_hour: perHour } = this.written(destination);
    return { perMinute: perMinute ?? null, perHour: perHour ?? null };
  }

  /** True for a provider of the file, false for a domain that stands for itself. */
  isNamed(destination: string): boolean {
    return this.byName.has(destination);
  }

  /** How people call it. */
  titleOf(destination: string): string {
    return this.byName.get(destination)?.title ?? destination;
  }

  /** The rule for a reply of a destination, with codes and text as the server wrote them; null when nothing follows. */
  replyRule(destination: string, reply: string): ReplyRule | null {
    const read = readRefusal(reply);
    const found = this.replies.find((each) => this.fits(each, destination, read, reply));
    return found && found.rule.do !== 'nothing' ? found.rule : null;
  }

  private written(destination: string): WrittenLimits {
    return this.byName.get(destination) ?? this.file.others;
  }

  private fits({ rule, text, unless }: PreparedReply, destination: string, read: RefusalText, reply: string): boolean {
    return (
      (rule.destination === undefined || rule.destination === destination) &&
      (rule.code === undefined || rule.code.some((code) => hasCode(code, read))) &&
      (text === null || text.some((phrase) => hasPhrase(read.text, phrase))) &&
      !unless.some((phrase) => hasPhrase(read.text, phrase)) &&
      (rule.class === undefined || rule.class === this.bounces.classify(reply).class)
    );
  }
}

/** The domain of an address in lower case; empty for null, a deleted recipient. */
export const domainOf = (address: string | null): string =>
  address === null ? '' : address.slice(address.lastIndexOf('@') + 1);

const phrasesOf = (texts: readonly string[]): Phrase[] => texts.flatMap(readingsOf).map(readPhrase);

const parentOf = (name: string): string => (name.includes('.') ? name.slice(name.indexOf('.') + 1) : '');
