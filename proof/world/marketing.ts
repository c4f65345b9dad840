import { NEW_CAMPAIGN } from '../../domain/campaigns/campaign';
import type { JourneyStep } from '../../domain/journeys/journey';
import { HOUR, MINUTE } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { Acts } from '../judge/history';
import { contentOf, htmlOf, type MailContent } from './mail-content';

/** A journey as the history tells it. */
type JourneyFacts = Omit<Acts['journey'][0], 'workspace'>;

/** What a workspace has for marketing. */
export interface Marketing {
  /** The audience that its campaigns go to, and drafts of them. */
  list: number;
  campaigns: readonly number[];
  /** What they say, by their ids. */
  contents: Readonly<Record<number, MailContent>>;
  /** The audience of its form, with double opt-in. */
  double: { id: number; token: string };
  journeys: readonly JourneyFacts[];
}

interface Sender {
  workspaceId: number;
  domainId: number;
  createdAt: number;
}

/** Audiences, drafts of campaigns and active journeys of a workspace. */
export async function makeMarketing(stores: Stores, { workspaceId, domainId, createdAt }: Sender): Promise<Marketing> {
  const audience = async (name: string, optInMode: 'single' | 'double'): Promise<{ id: number; token: string }> => {
    const token = `${name}${workspaceId}`.padEnd(32, 'x');
    const facts = { workspaceId, name, description: null, publicToken: token, optInMode, createdAt };
    return { id: (await stores.audiences.create(facts)).id, token };
  };
  const [list, double, done] = [
    await audience('Pelanggan', 'single'),
    await audience('Kabar', 'double'),
    await audience('Selesai', 'single'),
  ];
  const mail = (name: string): JourneyStep => {
    const { subject, text } = contentOf(name);
    return { kind: 'email', domainId, subject, html: htmlOf({ subject, text }), text: null };
  };
  const journey = async (name: string, audienceId: number | null, steps: JourneyStep[]): Promise<JourneyFacts> => {
    const isGoal = audienceId === null;
    const { id } = await stores.journeys.create({
      workspaceId,
      name,
      audienceId,
      steps,
      createdAt,
      status: 'active',
      secretSealed: 'none',
      triggerType: audienceId === null ? 'api' : 'audience_join',
      goal: isGoal ? { event: 'click', ends: true } : null,
    });
    const told = steps.map((step) => ({
      type: step.kind,
      wait: step.kind === 'wait' ? step.ms : 0,
      ...(step.kind === 'email' && contentOf(step.subject)),
    }));
    return { journey: id, audience: audienceId, goal: isGoal, steps: told };
  };
  const wait = (ms: number): JourneyStep => ({ kind: 'wait', ms });
  const ending: JourneyStep = { kind: 'add_to_audience', audienceId: done.id };
  const [first, second] = [await campaign('Promo'), await campaign('Obral')];
  return {
    list: list.id,
    double,
    campaigns: [first, second],
    contents: { [first]: contentOf('Promo'), [second]: contentOf('Obral') },
    journeys: [
      await journey('Sambutan', null, [mail('Halo'), wait(10 * MINUTE), mail('Lagi'), wait(5 * HOUR), ending]),
      await journey('Kabar', double.id, [mail('Terima kasih'), ending]),
    ],
  };

  async function campaign(name: string): Promise<number> {
    const { subject, text } = contentOf(name);
    const sender = { fromEmail: null, fromName: null, replyTo: null, preheader: null, blocks: null };
    const content = { ...sender, subject, html: htmlOf({ subject, text }), text: null };
    const fields = { ...NEW_CAMPAIGN, ...content, workspaceId, audienceId: list.id, domainId, createdAt };
    return (await stores.campaigns.create(fields)).id;
  }
}
