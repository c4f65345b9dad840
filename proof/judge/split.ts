import type { Act, AnyAct } from './acts';
import { matchOrigins } from './match-origins';
import { matchUnknown } from './match-unknown';
import { SLACK, type Slack } from './rules';
import { MORE, type Hook, type Message, type More, type MoreName, type Run, type Workspace } from './run';
import { Times } from './times';

const isMore = (act: AnyAct): act is Extract<AnyAct, { f: MoreName }> => (MORE as readonly string[]).includes(act.f);

/** Splits acts by workspace and message. */
export class Splitting {
  private readonly run: Omit<Run, 'faultTimes' | 'lines' | 'slack'> = {
    workspaces: new Map(),
    messages: new Map(),
    hooks: new Map(),
    faults: [],
    audits: [],
    problems: [],
  };
  private readonly loose: Act<'deliver'>[] = [];

  add(act: AnyAct): void {
    switch (act.f) {
      case 'send':
        return this.send(act);
      case 'take':
      case 'refuse':
        return void this.message(act.value.message).attempts.push(act);
      case 'report':
        return void this.message(act.value.message).reports.push(act);
      case 'open':
        return void this.message(act.value.message).opens.push(act);
      case 'click':
        return void this.message(act.value.message).clicks.push(act);
      case 'page':
        return void this.message(act.value.message).pages.push(act);
      case 'subscribe':
        return this.subscribe(act);
      case 'drop':
        return this.drop(act);
      case 'deliver':
        return void this.loose.push(act);
      case 'fault':
        return void this.run.faults.push(act);
      case 'audit':
        return void this.run.audits.push(act);
      default:
        if (isMore(act)) this.more(act);
        else this.account(act);
    }
  }

  /** The run, once every act was added. */
  end(lines: number, slack: Partial<Slack> = {}): Run {
    for (const act of this.loose) this.deliver(act);
    matchUnknown([...this.run.workspaces.values()], [...this.run.messages.values()]);
    matchOrigins([...this.run.workspaces.values()], [...this.run.messages.values()]);
    for (const message of this.run.messages.values()) {
      if (message.workspace !== null) this.workspace(message.workspace).messages.push(message);
    }
    const faultTimes = new Times(this.run.faults.map(({ at }) => at));
    return { ...this.run, lines, faultTimes, slack: { ...SLACK, ...slack } };
  }

  private account(act: Act<'account'> | Act<'top-up'> | Act<'balance'> | Act<'block'> | Act<'final'>): void {
    const workspace = this.workspace(act.value.workspace);
    if (act.f === 'account') workspace.accounts.push(act);
    else if (act.f === 'top-up') workspace.topUps.push(act);
    else if (act.f === 'balance') workspace.balances.push(act);
    else if (act.f === 'block') workspace.blocks.push(act);
    else this.final(workspace, act);
  }

  private more(act: Act<MoreName>): void {
    const { more } = this.workspace(act.value.workspace);
    (more[act.f] as Act<MoreName>[]).push(act);
  }

  private send(act: Act<'send'>): void {
    this.workspace(act.value.workspace).sends.push(act);
    if (!act.answer) return;
    const message = this.message(act.answer.message);
    message.sends.push(act);
    this.own(message, act.value.workspace, act);
  }

  private final(workspace: Workspace, act: Act<'final'>): void {
    workspace.finals.push(act);
    for (const row of act.answer?.messages ?? []) {
      const message = this.message(row.message);
      if (message.final) this.problem('doubled', message, 'stands twice in the final read', act);
      message.final = row;
      this.own(message, workspace.id, act);
    }
  }

  private own(message: Message, workspace: number, act: AnyAct): void {
    if (message.workspace !== null && message.workspace !== workspace) {
      this.problem('foreign', message, `is of workspace ${message.workspace} and of ${workspace}`, act);
    }
    message.workspace ??= workspace;
  }

  private subscribe(act: Act<'subscribe'>): void {
    const { workspace, hook: name } = act.value;
    // An attempt that was not made leaves no hook; of several the first counts.
    if (act.result === 'fail' || this.run.hooks.has(name)) return;
    const hook: Hook = { name, workspace, subscribe: act, delivers: [], droppedAt: Infinity };
    this.run.hooks.set(name, hook);
    this.workspace(workspace).hooks.push(hook);
  }

  private drop({ value, result, at }: Act<'drop'>): void {
    const hook = this.run.hooks.get(value.hook);
    if (hook && result !== 'fail') hook.droppedAt = Math.min(hook.droppedAt, at);
  }

  private deliver(act: Act<'deliver'>): void {
    const hook = this.run.hooks.get(act.value.hook);
    if (hook) hook.delivers.push(act);
    else {
      const text = 'A request came for a hook that nobody registered.';
      const lines = act.answered ? [act.asked, act.answered] : [act.asked];
      this.run.problems.push({ rule: 'webhook-foreign', subject: `hook ${act.value.hook}`, text, lines });
    }
  }

  private problem(rule: string, { id }: Message, text: string, act: AnyAct): void {
    const lines = act.answered ? [act.asked, act.answered] : [act.asked];
    this.run.problems.push({ rule, subject: `message ${id}`, text: `The message ${text}.`, lines });
  }

  private message(id: string): Message {
    let message = this.run.messages.get(id);
    if (!message) {
      const seen = { attempts: [], reports: [], opens: [], clicks: [], pages: [], final: null };
      message = { id, workspace: null, sends: [], origin: null, ...seen };
      this.run.messages.set(id, message);
    }
    return message;
  }

  private workspace(id: number): Workspace {
    let workspace = this.run.workspaces.get(id);
    if (!workspace) {
      const told = { accounts: [], sends: [], topUps: [], balances: [], blocks: [], finals: [] };
      const more = Object.fromEntries(MORE.map((name) => [name, []])) as unknown as More;
      workspace = { id, ...told, hooks: [], messages: [], more };
      this.run.workspaces.set(id, workspace);
    }
    return workspace;
  }
}
