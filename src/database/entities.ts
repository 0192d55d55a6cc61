import { AlertDelivery } from '../alerts/alert-deliveries.repository.js';
import {
  AlertEmailWindow,
  AlertReaction,
  PendingAlertEmail,
} from '../alerts/alert-reaction.entity.js';
import { AlertSetting } from '../alerts/alert-settings.repository.js';
import { AlertSilence } from '../alerts/silences/alert-silences.repository.js';
import { CommitStatus, Pipeline } from '../code/commit-statuses/commit-status.entity.js';
import {
  MergeRequest,
  MergeRequestCounter,
  MergeRequestPerson,
} from '../code/merge-requests/merge-request.entity.js';
import { DueDateReminder, Notification } from '../core/activity/notifications.repository.js';
import { AuditDelivery, AuditEvent } from '../core/audit/audit-event.entity.js';
import { Avatar } from '../core/avatars/avatars.repository.js';
import { WorkerHeartbeat } from '../core/durable-work/worker-heartbeats.repository.js';
import { ApplicationSetting } from '../core/settings/application-settings.repository.js';
import { SavedView } from '../core/ui/saved-views.repository.js';
import { ClientKey } from '../error-tracking/client-keys/client-keys.repository.js';
import { ErrorActivity } from '../error-tracking/error-activities.repository.js';
import { ErrorEvent, ErrorEventId, ErrorText } from '../error-tracking/error-event.entity.js';
import { ErrorOutcome } from '../error-tracking/error-outcomes.repository.js';
import { ErrorRelease } from '../error-tracking/releases/error-releases.repository.js';
import { WikiPage } from '../events/wiki-pages.repository.js';
import { RefUpdate } from '../git/ref-updates.repository.js';
import { RepositoryTrash } from '../git/repository-trash.repository.js';
import { AnonymizedAuthor, Event } from '../core/activity/event.entity.js';
import { Todo } from '../core/activity/todos.repository.js';
import { AlertCounter, Alert } from '../alerts/alert.entity.js';
import { AlertIntegration } from '../alerts/alert-integration.entity.js';
import { MailLink } from '../identity/account/mail-links.repository.js';
import { Session } from '../identity/auth/sessions/sessions.repository.js';
import { AccessRequest, Member } from '../identity/members/member.entity.js';
import { FeedToken } from '../identity/tokens/feed-tokens.repository.js';
import { Namespace, RouteRedirect } from '../identity/users/namespace.entity.js';
import { User, UserEmail } from '../identity/users/user.entity.js';
import { BackgroundJob } from '../instance/background-jobs/jobs.repository.js';
import { OAuthAccessGrant } from '../oauth/oauth-access-grants.repository.js';
import { OAuthApplication } from '../oauth/oauth-applications.repository.js';
import { OAuthSigningKey } from '../oauth/openid/oauth-signing-keys.repository.js';
import { StorageSetting } from '../storage-moves/storage-settings.repository.js';
import {
  ErrorGroup,
  ErrorHash,
  ErrorTag,
  ErrorTrend,
  ErrorUser,
} from '../error-tracking/error-group.entity.js';
import { ErrorOwnValues } from '../error-tracking/error-own-values.entity.js';
import { ErrorTrackingSetting } from '../error-tracking/error-tracking-setting.entity.js';
import { InflightWrite } from '../git/inflight-writes.repository.js';
import { Environment } from '../workspace/environments/environments.repository.js';
import { Group } from '../workspace/groups/group.entity.js';
import { FailingAddress, MailDay, OutgoingMail } from '../core/mail/outgoing-mail.entity.js';
import { Label, LabelSubscription } from '../workspace/labels/label.entity.js';
import {
  Issue,
  IssueAssignee,
  IssueCounter,
  IssueStateEvent,
} from '../workspace/issues/issue.entity.js';
import { Mention } from '../workspace/mentions/mentions.repository.js';
import { Milestone, MilestoneCounter } from '../workspace/milestones/milestone.entity.js';
import { Note } from '../workspace/notes/note.entity.js';
import { NotificationSetting } from '../notifications/notification-setting.entity.js';
import { Project } from '../workspace/projects/project.entity.js';
import { Snippet } from '../workspace/snippets/snippet.entity.js';
import {
  GroupRepositoryStorageMove,
  ProjectRepositoryStorageMove,
  SnippetRepositoryStorageMove,
  StorageMoveBatch,
} from '../storage-moves/storage-move.entity.js';
import { AccessToken, AccessTokenIp } from '../identity/tokens/access-token.entity.js';
import { SpamLog, SpamSubmission } from '../workspace/spam/spam-logs.repository.js';
import { Subscription } from '../workspace/subscriptions/subscriptions.repository.js';

/** Every entity, named one by one: globs would mix up sources and build output. */
export const ENTITIES = [
  AccessRequest,
  AccessToken,
  AccessTokenIp,
  FeedToken,
  Alert,
  AlertCounter,
  AlertDelivery,
  AlertEmailWindow,
  AlertIntegration,
  AlertReaction,
  AlertSetting,
  AlertSilence,
  ApplicationSetting,
  AuditEvent,
  Avatar,
  BackgroundJob,
  ClientKey,
  CommitStatus,
  DueDateReminder,
  Environment,
  AnonymizedAuthor,
  ErrorActivity,
  ErrorEvent,
  ErrorEventId,
  ErrorGroup,
  ErrorHash,
  ErrorOutcome,
  ErrorOwnValues,
  ErrorRelease,
  ErrorTag,
  ErrorText,
  ErrorTrackingSetting,
  ErrorTrend,
  ErrorUser,
  Event,
  FailingAddress,
  Group,
  GroupRepositoryStorageMove,
  InflightWrite,
  Issue,
  IssueAssignee,
  IssueCounter,
  IssueStateEvent,
  MailDay,
  MailLink,
  Member,
  Mention,
  MergeRequest,
  MergeRequestCounter,
  MergeRequestPerson,
  Label,
  LabelSubscription,
  Milestone,
  MilestoneCounter,
  Namespace,
  Note,
  Notification,
  NotificationSetting,
  OAuthAccessGrant,
  OAuthApplication,
  OAuthSigningKey,
  OutgoingMail,
  PendingAlertEmail,
  Pipeline,
  Project,
  ProjectRepositoryStorageMove,
  RefUpdate,
  RepositoryTrash,
  RouteRedirect,
  SavedView,
  Session,
  Snippet,
  SnippetRepositoryStorageMove,
  SpamLog,
  SpamSubmission,
  StorageMoveBatch,
  StorageSetting,
  Subscription,
  Todo,
  User,
  UserEmail,
  WikiPage,
  AuditDelivery,
  WorkerHeartbeat,
];
