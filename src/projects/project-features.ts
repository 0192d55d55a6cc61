import type { PresentedFeatureLevel, PresentedFeatures } from './presented-project.js';
import type { CountedProjectRow } from './projects.repository.js';

/** Features that a project switches on and off. */
type Switches = Pick<
  CountedProjectRow,
  | 'issuesEnabled'
  | 'mergeRequestsEnabled'
  | 'wikiEnabled'
  | 'snippetsEnabled'
  | 'repositoryEnabled'
  | 'requestAccessEnabled'
  | 'emailsEnabled'
  | 'groupsSendMails'
>;

/** The `*_enabled` and `*_access_level` fields; what the product does not have is off. */
export function featureSettings(project: Switches): PresentedFeatures {
  const sendsMails = project.emailsEnabled && project.groupsSendMails;
  return {
    issues_enabled: project.issuesEnabled,
    merge_requests_enabled: project.mergeRequestsEnabled,
    wiki_enabled: project.wikiEnabled,
    jobs_enabled: false,
    snippets_enabled: project.snippetsEnabled,
    container_registry_enabled: false,
    packages_enabled: false,
    lfs_enabled: false,
    request_access_enabled: project.requestAccessEnabled,
    emails_disabled: !sendsMails,
    emails_enabled: sendsMails,
    issues_access_level: levelName(project.issuesEnabled),
    repository_access_level: levelName(project.repositoryEnabled),
    merge_requests_access_level: levelName(project.mergeRequestsEnabled),
    wiki_access_level: levelName(project.wikiEnabled),
    snippets_access_level: levelName(project.snippetsEnabled),
    builds_access_level: 'disabled',
    forking_access_level: 'disabled',
    merge_method: 'merge',
  };
}

function levelName(enabled: boolean): PresentedFeatureLevel {
  return enabled ? 'enabled' : 'disabled';
}
