import type { Campaign, CampaignStatus } from './campaign';

/** What may be done to a campaign besides starting it. */
export type CampaignMove =
  | { kind: 'schedule'; scheduledAt: number }
  | { kind: 'unschedule' }
  /** Its scheduled start was refused. */
  | { kind: 'refuse'; reason: string }
  /** A reason says why it paused by itself. */
  | { kind: 'pause'; reason: string | null }
  | { kind: 'resume' }
  | { kind: 'cancel' }
  /** Every recipient is final. */
  | { kind: 'complete' };

/** The statuses from which each move is possible (docs/contract.md#campaign-statuses). */
const FROM: Readonly<Record<CampaignMove['kind'], readonly CampaignStatus[]>> = {
  schedule: ['draft', 'scheduled'],
  unschedule: ['scheduled'],
  refuse: ['scheduled'],
  pause: ['live'],
  resume: ['paused'],
  cancel: ['live', 'paused'],
  complete: ['live'],
};

/** A changed campaign, and the due work that the same commit schedules anew or takes away. */
export interface Moved {
  set: Partial<Omit<Campaign, 'id'>> & { status: CampaignStatus };
  tasks: readonly { kind: CampaignTaskKind; dueAt: number | null }[];
  /** The brake counts from here on. */
  resetBrake?: true;
}

/** The due work that drives campaigns that were started, and the one that starts scheduled ones. */
export const DRIVE_WORK = 'campaigns';
export const START_WORK = 'campaign-starts';
export type CampaignTaskKind = typeof DRIVE_WORK | typeof START_WORK;

/** Decides a move at `at`, ms. Null when the campaign's status does not allow it. */
export function moveCampaign(campaign: Pick<Campaign, 'status'>, move: CampaignMove, at: number): Moved | null {
  return FROM[move.kind].includes(campaign.status) ? moved(move, at) : null;
}

function moved(move: CampaignMove, at: number): Moved {
  switch (move.kind) {
    case 'schedule':
      return {
        set: { status: 'scheduled', scheduledAt: move.scheduledAt, scheduleError: null },
        tasks: [{ kind: START_WORK, dueAt: move.scheduledAt }],
      };
    case 'unschedule':
      return { set: { status: 'draft', scheduledAt: null }, tasks: [{ kind: START_WORK, dueAt: null }] };
    case 'refuse':
      return {
        set: { status: 'draft', scheduledAt: null, scheduleError: move.reason },
        tasks: [{ kind: START_WORK, dueAt: null }],
      };
    case 'pause':
      return { set: { status: 'paused', pauseReason: move.reason }, tasks: [] };
    case 'resume':
      return {
        set: { status: 'live', pauseReason: null },
        tasks: [{ kind: DRIVE_WORK, dueAt: at }],
        resetBrake: true,
      };
    case 'cancel':
      return {
        set: { status: 'completed', cancelledAt: at, pauseReason: null },
        tasks: [{ kind: DRIVE_WORK, dueAt: at }],
      };
    case 'complete':
      return { set: { status: 'completed' }, tasks: [] };
  }
}
