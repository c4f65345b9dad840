import type { JourneyStep } from '../../../domain/journeys/journey';
import { MINUTE } from '../../../lib/clock';
import { withData } from '../../../proof/crash/installation';
import { until } from '../../../proof/crash/stage/until';
import type { Activity } from '../../../proof/crash/points';
import type { Scene } from '../../../proof/crash/stage/play';
import { bodyOf } from '../../../proof/world/mail-body';
import type { Account } from '../../../proof/world/template';

/** Where an answer does not matter, or only its status. */
const said = ({ status }: { status: number }): { status: number } => ({ status });
const CONFIRM = /https?:\/\/[^/\s"]+(\/c\/[A-Za-z0-9_-]{44})/;

/**
 * What a marketer and a contact do in an activity: each act is asked for again until it is answered, over all lives of
 * the service, and is done once.
 */
export class Marketing {
  private begun: Promise<unknown> | null = null;
  private continued: Promise<unknown> | null = null;

  private constructor(private readonly acts: { begin: () => Promise<unknown>; goOn: () => Promise<unknown> }) {}

  /** Null for activities of others. */
  static of(scene: Scene, activity: Activity, to: string): Marketing | null {
    const nothing = (): Promise<void> => Promise.resolve();
    switch (activity) {
      case 'campaign':
        return new Marketing({ begin: () => sendCampaign(scene, to), goOn: nothing });
      case 'journey':
        return new Marketing({ begin: () => enroll(scene, to), goOn: () => pauseJourney(scene) });
      case 'opt-in':
        return new Marketing({ begin: () => fillIn(scene, to), goOn: () => confirm(scene, to) });
      default:
        return null;
    }
  }

  /** Asks for the first mail. */
  begin(): Promise<unknown> {
    return (this.begun ??= this.acts.begin());
  }

  /** What is done once that is delivered. */
  goOn(): Promise<unknown> {
    return (this.continued ??= this.acts.goOn());
  }
}

/** Gives the account a journey of which two rounds make no mail: what they write is a moment of its own. */
export async function makeJourney({ stage, senders }: Scene): Promise<void> {
  const { workspaceId, domainId } = senders[0]!;
  const createdAt = stage.now();
  await withData(stage.installation, async ({ stores }) => {
    const list = {
      name: 'Sesudah',
      description: null,
      publicToken: 'sesudah'.padEnd(32, 'x'),
      optInMode: 'single' as const,
    };
    const { id: audienceId } = await stores.audiences.create({ ...list, workspaceId, createdAt });
    const joins: JourneyStep = { kind: 'add_to_audience', audienceId };
    const steps: JourneyStep[] = [
      { kind: 'email', domainId, subject: 'Halo', html: '<p>Halo {{nama|Kak}}</p>', text: null },
      ...[{ kind: 'wait', ms: MINUTE } as const, joins, { kind: 'wait', ms: MINUTE } as const, joins],
    ];
    const { id: journey } = await stores.journeys.create({
      workspaceId,
      name: 'Dua',
      status: 'active',
      triggerType: 'api',
      audienceId: null,
      steps,
      goal: null,
      secretSealed: 'none',
      createdAt,
    });
    const told = steps.map((step) => ({ type: step.kind, wait: step.kind === 'wait' ? step.ms : 0 }));
    senders[0]!.journeys = [{ journey, audience: null, goal: false, steps: told }];
  });
}

const accountOf = ({ senders }: Scene): Account => senders[0]!;

/** Puts the contact into the audience, and starts the campaign to it. */
async function sendCampaign(scene: Scene, to: string): Promise<void> {
  const { workspaceId: workspace, apiKey: key, list: audience, campaigns } = accountOf(scene);
  const campaign = campaigns[0]!;
  const common = { name: 'marketer', isStubborn: true };
  await scene.outside.insist('join', {
    ...common,
    value: { workspace, audience, to, double: false },
    said,
    path: `/v1/audiences/${audience}/contacts`,
    asked: { key, body: { email: to, consent: true } },
  });
  await scene.outside.insist('campaign', {
    ...common,
    value: { workspace, campaign, audience },
    path: `/v1/campaigns/${campaign}/send`,
    asked: { key, method: 'POST' },
    said: ({ body }) => ({ state: String(body['status']) }),
  });
}

async function enroll(scene: Scene, to: string): Promise<void> {
  tellJourneys(scene);
  const { workspaceId: workspace, apiKey: key, journeys } = accountOf(scene);
  const { journey } = journeys[0]!;
  await scene.outside.insist('enroll', {
    name: 'contact',
    value: { workspace, journey, to },
    said,
    isStubborn: true,
    path: `/v1/journeys/${journey}/enroll`,
    asked: { key, body: { email: to, consent: true } },
  });
}

/** Pauses the journey for a moment, while the contact waits in it. */
async function pauseJourney({ outside, senders }: Scene): Promise<void> {
  const { workspaceId, journeys } = senders[0]!;
  const body = { workspace: String(workspaceId), journey: String(journeys[0]!.journey) };
  for (const operation of ['journey.pause', 'journey.activate'])
    await until(async () => (await outside.operate(operation, body))?.status === 200, { every: 50 });
}

/** Subscribes by the form of an audience with double opt-in, whose members enter a journey. */
async function fillIn(scene: Scene, to: string): Promise<void> {
  tellJourneys(scene);
  const { workspaceId: workspace, double } = accountOf(scene);
  await scene.outside.insist('join', {
    name: 'contact',
    value: { workspace, audience: double.id, to, double: true },
    said,
    isStubborn: true,
    path: `/f/${double.token}`,
    asked: { form: { email: to, consent: 'on' } },
  });
}

/** Presses the button behind the link of the mail. */
async function confirm(scene: Scene, to: string): Promise<void> {
  const { workspaceId: workspace, double } = accountOf(scene);
  const mail = scene.outside.server.mails.find((one) => one.to === to && CONFIRM.test(bodyOf(one.source)));
  await scene.outside.insist('confirm', {
    name: 'contact',
    value: { workspace, audience: double.id, to },
    said,
    isStubborn: true,
    path: CONFIRM.exec(bodyOf(mail?.source ?? ''))?.[1] ?? '',
    asked: { form: {} },
  });
}

function tellJourneys({ outside, senders }: Scene): void {
  const { workspaceId: workspace, journeys } = senders[0]!;
  for (const journey of journeys) outside.recorder.begin('operator', 'journey', { workspace, ...journey });
}
