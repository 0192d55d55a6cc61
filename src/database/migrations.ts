import { Foundation1795200000000 } from './migrations/1795200000000-foundation.js';
import { ApiContract1795300000000 } from './migrations/1795300000000-api-contract.js';
import { OAuthAndSessions1795400000000 } from './migrations/1795400000000-oauth-and-sessions.js';
import { AlertsAndIncidents1795500000000 } from './migrations/1795500000000-alerts-and-incidents.js';
import { Activity1795600000000 } from './migrations/1795600000000-activity.js';
import { Notifications1795700000000 } from './migrations/1795700000000-notifications.js';
import { ErrorTracking1795800000000 } from './migrations/1795800000000-error-tracking.js';
import { ChangeTimes1795811300000 } from './migrations/1795811300000-change-times.js';
import { HardDeletion1795811360000 } from './migrations/1795811360000-hard-deletion.js';
import { ConfidentialIncidents1795811420000 } from './migrations/1795811420000-confidential-incidents.js';
import { SpamInComments1795811480000 } from './migrations/1795811480000-spam-in-comments.js';
import { Avatars1795811571000 } from './migrations/1795811571000-avatars.js';
import { AlertEmailDigests1795811600000 } from './migrations/1795811600000-alert-email-digests.js';

/** Every migration in order, named one by one. */
export const MIGRATIONS = [
  Foundation1795200000000,
  ApiContract1795300000000,
  OAuthAndSessions1795400000000,
  AlertsAndIncidents1795500000000,
  Activity1795600000000,
  Notifications1795700000000,
  ErrorTracking1795800000000,
  ChangeTimes1795811300000,
  HardDeletion1795811360000,
  ConfidentialIncidents1795811420000,
  SpamInComments1795811480000,
  Avatars1795811571000,
  AlertEmailDigests1795811600000,
];
