import { given } from '../../core/ui/form-input.decorator.js';
import { visibilityName } from '../../members/visibility.js';
import type { ProjectRow } from '../projects.repository.js';
import type { ProjectTexts } from './project-text-fields.js';

/** Features that a project may have, by the parameters that switch them. */
export const FEATURE_SWITCHES = [
  { name: 'issues_enabled', label: 'Issues' },
  { name: 'snippets_enabled', label: 'Snippets' },
  { name: 'request_access_enabled', label: 'Users may ask for membership' },
] as const;

type FeatureName = (typeof FEATURE_SWITCHES)[number]['name'];

/** The fields of a project's settings. */
export interface ProjectValues extends ProjectTexts {
  visibility: string;
  defaultBranch: string;
  topics: string;
  features: Record<FeatureName, boolean>;
  emailsEnabled: boolean;
}

/** The fields of a project that is there. */
export function valuesOfProject(project: ProjectRow): ProjectValues {
  return {
    name: project.name,
    path: project.path,
    description: project.description ?? '',
    visibility: visibilityName(project.visibility),
    defaultBranch: project.defaultBranch ?? '',
    topics: project.topics.join(', '),
    features: {
      issues_enabled: project.issuesEnabled,
      snippets_enabled: project.snippetsEnabled,
      request_access_enabled: project.requestAccessEnabled,
    },
    emailsEnabled: project.emailsEnabled,
  };
}

/** The fields as they were sent. */
export function valuesOfForm(form: Record<string, unknown>): ProjectValues {
  const isOn = (name: FeatureName): boolean => given(form, name) === 'true';
  return {
    name: given(form, 'name'),
    path: given(form, 'path'),
    description: given(form, 'description'),
    visibility: given(form, 'visibility'),
    defaultBranch: given(form, 'default_branch'),
    topics: given(form, 'topics'),
    features: {
      issues_enabled: isOn('issues_enabled'),
      snippets_enabled: isOn('snippets_enabled'),
      request_access_enabled: isOn('request_access_enabled'),
    },
    emailsEnabled: given(form, 'emails_enabled') === 'true',
  };
}
