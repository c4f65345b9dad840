import type { Progress } from '../judge/history';
import type { Outside } from './actors';
import { ask, type Answer } from './request';
import type { Account } from './template';

type Move = 'pause' | 'resume' | 'cancel';

/** A campaign of the run. */
interface Run {
  account: Account;
  campaign: number;
  isStarted: boolean;
  isOver: boolean;
  isPaused: boolean;
  /** One act at a time is done to it. */
  isBusy: boolean;
}

const NEW = { isStarted: false, isOver: false, isPaused: false, isBusy: false };
/** More than a free account mails in two minutes. */
const CROWD = 25;

/** Who fills an audience and sends campaigns to it. */
export class Marketer {
  private readonly runs: Run[];
  private hasCrowd = false;

  constructor(private readonly outside: Outside) {
    this.runs = outside.template.accounts.flatMap((account) =>
      account.campaigns.map((campaign) => ({ account, campaign, ...NEW })),
    );
  }

  /** The next thing that is done. */
  async act(name: string): Promise<void> {
    const { random, profile } = this.outside;
    if (profile.focus === 'campaigns' && !this.hasCrowd) return this.importSome(name);
    const draw = random.next();
    if (draw < 0.45) return this.join(name);
    if (draw < 0.6) return this.importSome(name);
    const run = random.pick(this.runs);
    if (!run.isStarted) return draw < 0.75 ? this.start(name, run) : this.join(name);
    if (draw < 0.85) await this.stir(name, run);
    else await this.look(name, run);
    return undefined;
  }

  /** The campaigns that nobody has started yet. */
  async startAll(name: string): Promise<void> {
    for (const run of this.runs) if (!run.isStarted) await this.start(name, run);
  }

  /** Whatever is paused goes on, so that it ends. */
  async goOn(name: string): Promise<void> {
    for (const run of this.runs) {
      if (!run.isStarted || run.isOver) continue;
      const state = await this.look(name, run);
      if (state === 'paused') await this.move(name, run, this.outside.random.chance(0.3) ? 'cancel' : 'resume');
    }
  }

  /**
   * Pauses a campaign that was started, or ends it. Few pauses end here: mail that slips through is seen after a
   * minute.
   */
  async stir(name: string, run = this.outside.random.pick(this.underWay())): Promise<void> {
    const { random } = this.outside;
    if (run.isPaused && random.chance(0.95)) return;
    const move = run.isPaused ? 'resume' : 'pause';
    if (run.isStarted) await this.move(name, run, random.pick([move, move, move, 'resume', 'cancel']));
  }

  /** Those of a crowd first: they mail for long enough to be stopped in the midst. */
  private underWay(): readonly Run[] {
    const started = this.runs.filter(({ isStarted, isOver }) => isStarted && !isOver);
    const crowded = started.filter(({ account }) => account.isFree && this.hasCrowd);
    return [crowded, started, this.runs].find(({ length }) => length > 0)!;
  }

  private async join(name: string): Promise<void> {
    const account = this.outside.account();
    const to = this.outside.address(account, 'm');
    const audience = account.list;
    await this.outside.insist('join', {
      name,
      value: { workspace: account.workspaceId, audience, to, double: false },
      path: `/v1/audiences/${audience}/contacts`,
      asked: { key: account.apiKey, body: { email: to, consent: true } },
      said: ({ status }) => ({ status }),
    });
  }

  /** A file of some lines, which may be read in part; it is not read again. */
  private async importSome(name: string): Promise<void> {
    const { recorder, random, profile, template } = this.outside;
    const isCrowd = !this.hasCrowd && profile.focus === 'campaigns';
    this.hasCrowd = true;
    const account = (isCrowd && template.accounts.find(({ isFree }) => isFree)) || this.outside.account();
    const [workspace, audience] = [account.workspaceId, account.list];
    const length = isCrowd ? CROWD : 2 + random.below(4);
    const people = Array.from({ length }, () => this.outside.address(account, 'i'));
    const acts = people.map((to) => recorder.begin(name, 'join', { workspace, audience, to, double: false }));
    const file = `email,name\n${people.map((to) => `${to},Siti\n`).join('')}`;
    const body = { workspace: String(workspace), audience: String(audience), file, consent: true };
    const answer = await this.outside.operate('audience.import', body);
    const isWhole = answer?.status === 200 && answer.body.refused === 0;
    for (const act of acts) {
      if (isWhole) act.ok({ status: 200 });
      else act.info(answer ? `answered ${answer.status}` : 'no answer');
    }
  }

  private async start(name: string, run: Run): Promise<void> {
    const { account, campaign } = run;
    if (run.isBusy) return;
    [run.isBusy, run.isStarted] = [true, true];
    await this.outside.insist('campaign', {
      name,
      value: { workspace: account.workspaceId, campaign, audience: account.list, ...account.contents[campaign] },
      path: `/v1/campaigns/${campaign}/send`,
      asked: { key: account.apiKey, method: 'POST' },
      said: ({ body }) => ({ state: String(body.status) }),
    });
    run.isBusy = false;
  }

  private async move(name: string, run: Run, move: Move): Promise<void> {
    const { account, campaign } = run;
    if (run.isBusy) return;
    run.isBusy = true;
    const said = await this.outside.insist('move', {
      name,
      value: { workspace: account.workspaceId, campaign, move },
      path: `/v1/campaigns/${campaign}/${move}`,
      asked: { key: account.apiKey, method: 'POST' },
      said: ({ body }) => ({ state: String(body.status) }),
    });
    if (said) run.isPaused = move === 'pause';
    run.isBusy = false;
  }

  /** Its state; null if there is no answer. */
  private async look(name: string, run: Run): Promise<string | null> {
    const { account, campaign, isBusy: isStarting } = run;
    const act = this.outside.recorder.begin(name, 'progress', { workspace: account.workspaceId, campaign });
    const answer = await ask(this.outside.ports.http, `/v1/campaigns/${campaign}`, { key: account.apiKey });
    if (answer?.status !== 200) {
      act.info(answer ? `answered ${answer.status}` : 'no answer');
      return null;
    }
    const facts = progressOf(answer);
    act.ok(facts);
    // A draft whose start is under way may be live by now.
    run.isOver = facts.state === 'completed' || (facts.state === 'draft' && !isStarting);
    return facts.state;
  }
}

/** What GET /campaigns/{id} says. */
export const progressOf = ({ body }: Answer): { state: string; counts: Progress } => ({
  state: String(body.status),
  counts: body.counts as Progress,
});
