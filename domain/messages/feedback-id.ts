import type { MessageFacts } from './message';

/** What names the installation in a Feedback-ID: 15 characters, the most that Gmail takes, from its id (a UUID). */
export const feedbackSender = (installationId: string): string =>
  `kurir${installationId.replaceAll('-', '').slice(0, 10)}`;

/**
 * The Feedback-ID of a message (docs/contract.md#feedback-headers): what it belongs to, its workspace, its lane, and
 * the installation. No identifier stands for two things, since Gmail adds up each of them.
 */
export function feedbackId(
  message: Pick<MessageFacts, 'campaignId' | 'journeyId' | 'channel' | 'workspaceId' | 'lane'>,
  sender: string,
): string {
  const { campaignId, journeyId, channel, workspaceId, lane } = message;
  const subject = campaignId !== null ? `c${campaignId}` : journeyId !== null ? `j${journeyId}` : channel;
  return `${subject}:w${workspaceId}:${lane}:${sender}`;
}
