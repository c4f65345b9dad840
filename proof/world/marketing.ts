import { NEW_CAMPAIGN } from '../../domain/campaigns/campaign';
import type { JourneyStep } from '../../domain/journeys/journey';
import { HOUR, MINUTE } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { Acts } from '../judge/history';

const HTML = '<p>Halo {{nama|Kak}}, <a href="https://toko.example/a">a</a> <a href="https://toko.example/b">b</a>.</p>';

/** A journey as the history tells it. */
type JourneyFacts = Omit<Acts['journey'][0], 'workspace'>;

/** What a workspace has for marketing. */
export interface Marketing {
  /** The audience that its campaigns go to, and drafts of them. */
  list: number;
  campaigns: readonly number[];
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
  const mail = (subject: string): JourneyStep => ({ kind: 'email', domainId, subject, html: HTML, text: null });
  const journey = async (name: string, audienceId: number | null, steps: JourneyStep[]): Promise<JourneyFacts> => {
    const isGoal = audienceId === null;
    const { id } = await stores.journeys.create({
      ...{ workspaceId, name, audienceId, steps, createdAt, status: 'active', secretSealed: 'none' },
      triggerType: audienceId === null ? 'api' : 'audience_join',
      goal: isGoal ? { event: 'click', ends: true } : null,
    });
    const told = steps.map((step) => ({ type: step.kind, wait: step.kind === 'wait' ? step.ms : 0 }));
    return { journey: id, audience: audienceId, goal: isGoal, steps: told };
  };
  const wait = (ms: number): JourneyStep => ({ kind: 'wait', ms });
  const ending: JourneyStep = { kind: 'add_to_audience', audienceId: done.id };
  return {
    ...{ list: list.id, double },
    campaigns: [await campaign('Promo'), await campaign('Lagi')],
    journeys: [
      await journey('Sambutan', null, [mail('Halo'), wait(10 * MINUTE), mail('Lagi'), wait(5 * HOUR), ending]),
      await journey('Kabar', double.id, [mail('Terima kasih'), ending]),
    ],
  };

  async function campaign(subject: string): Promise<number> {
    const sender = { fromEmail: null, fromName: null, replyTo: null, preheader: null, blocks: null };
    const content = { ...sender, subject, html: HTML, text: null };
    const fields = { ...NEW_CAMPAIGN, ...content, workspaceId, audienceId: list.id, domainId, createdAt };
    return (await stores.campaigns.create(fields)).id;
  }
}
