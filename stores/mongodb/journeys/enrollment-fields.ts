import type { Enrollment, EnrollmentStep } from '../../../domain/journeys/enrollment';
import type { Journey, JourneyVersion } from '../../../domain/journeys/journey';
import type { JourneyPost } from '../../../domain/journeys/journey-post';

/** The documents of journeys. */
export interface JourneyDocuments {
  journeys: Omit<Journey, 'id'> & { _id: number };
  /** `_id` is `<journey>:<version>`. */
  journeyVersions: JourneyVersion & { _id: string };
  /** The content of a mail, read at the hand-off. `_id` is that of its version, and `:<step>`. */
  journeyMails: { _id: string; html: string; text: string | null };
  enrollments: EnrollmentDocument;
  enrollmentSteps: EnrollmentStepDocument;
  journeyPosts: JourneyPostDocument;
}

export type EnrollmentDocument = Omit<Enrollment, 'id'> & { _id: string };

/** `_id` is `<enrollment>:<step>`. */
export type EnrollmentStepDocument = EnrollmentStep & { _id: string; enrollmentId: string };

/** `_id` is `<enrollment>:<step>`. */
export type JourneyPostDocument = JourneyPost & { _id: string };

/** The id of a version of a journey. */
export const versionId = (journeyId: number, version: number): string => `${journeyId}:${version}`;
/** The id of the content of a mail of a version. */
export const mailId = (journeyId: number, version: number, step: number): string => `${journeyId}:${version}:${step}`;
/** The ids of all versions of a journey, and of their mails: `;` comes after `:`. */
export const idsOfJourney = (journeyId: number) => ({ $gte: `${journeyId}:`, $lt: `${journeyId};` });
/** The id of a step that an enrollment did. */
export const stepId = (enrollmentId: string, step: number): string => `${enrollmentId}:${step}`;
