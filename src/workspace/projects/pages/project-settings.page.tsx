import type { VNode } from 'preact';
import { AvatarCard } from '../../../core/ui/components/avatar.js';
import { CheckboxField } from '../../../core/ui/components/choice-fields.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors, PostButton } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { given, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { VisibilityField } from '../../../identity/members/pages/visibility.js';
import { visibilityName } from '../../../identity/members/visibility.js';
import {
  ContainerTextFields,
  TransferCard,
  type ContainerTexts,
  RepositoryStorageCard,
} from '../../groups/pages/container-form.js';
import { fullPathOf, type ProjectRow } from '../projects.repository.js';
import { ProjectSettingsTabs } from './project-frame.js';

/** Features that a project can have, by the parameters that switch them. */
const FEATURE_SWITCHES = [
  { name: 'issues_enabled', label: 'Issues' },
  { name: 'snippets_enabled', label: 'Snippets' },
  { name: 'request_access_enabled', label: 'Allow access requests' },
] as const;

type FeatureName = (typeof FEATURE_SWITCHES)[number]['name'];

/** The fields of a project's settings. */
export interface ProjectValues extends ContainerTexts {
  visibility: string;
  defaultBranch: string;
  topics: string;
  features: Record<FeatureName, boolean>;
  emailsEnabled: boolean;
}

/** Returns the fields of a project. */
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

/** Returns the sent fields. */
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

interface ProjectSettingsProps {
  pageContext: PageContext;
  project: ProjectRow;
  values: ProjectValues;
  errors: FormProblems | null;
  avatarErrors?: FormProblems;
  /** Full paths of namespaces to which the project can be transferred. */
  locations: readonly string[];
}

/** Changing a project; owners also archive and delete it. */
export function ProjectSettingsPage(props: ProjectSettingsProps): VNode {
  const { pageContext, project, values, errors, avatarErrors } = props;
  const isOwner = canInProject('own_project', { ...project, viewer: pageContext.viewer });
  return (
    <>
      <PageHeader title="Settings" />
      <ProjectSettingsTabs project={project} current="general" />
      <Card title="General">
        <Form
          action={`/${fullPathOf(project)}/-/edit`}
          csrfToken={pageContext.csrfToken}
          label="Project"
        >
          <FormErrors errors={errors} />
          <ContainerTextFields
            values={values}
            errors={errors}
            pathHint={`Project URL: /${project.namespace.fullPath}/…`}
            maxDescription={2000}
            fixed={!isOwner}
          />
          {isOwner && (
            <VisibilityField
              value={values.visibility}
              privateHint="Members only."
              errors={errors}
            />
          )}
          <ProjectFeatureFields values={values} errors={errors} />
          {isOwner && (
            <CheckboxField
              name="emails_enabled"
              label="Send notification emails"
              hint="Emails stay off while a parent group disables them."
              checked={values.emailsEnabled}
              errors={errors?.fields['emails_enabled']}
            />
          )}
          <FormActions submit="Save changes" />
        </Form>
      </Card>
      <AvatarCard
        action={`/${fullPathOf(project)}/-/avatar`}
        csrfToken={pageContext.csrfToken}
        kind="project"
        owner={project}
        errors={avatarErrors?.fields['avatar']}
      />
      {pageContext.viewer?.admin === true && (
        <RepositoryStorageCard
          kind="project"
          container={fullPathOf(project)}
          storage={project.repositoryStorage}
          isReadOnly={project.repositoryReadOnly}
        />
      )}
      {isOwner && <OwnersCards {...props} />}
    </>
  );
}

function OwnersCards({ pageContext, project, locations }: ProjectSettingsProps): VNode {
  const base = `/${fullPathOf(project)}/-`;
  const { csrfToken } = pageContext;
  return (
    <>
      <Card title={project.archived ? 'Unarchive project' : 'Archive project'}>
        <p>
          {project.archived
            ? 'Unarchiving makes the project writable again.'
            : 'Archived projects are read-only. You can unarchive at any time.'}
        </p>
        <div>
          <PostButton
            action={`${base}/${project.archived ? 'unarchive' : 'archive'}`}
            csrfToken={csrfToken}
          >
            {project.archived ? 'Unarchive project' : 'Archive project'}
          </PostButton>
        </div>
      </Card>
      <TransferCard
        kind="project"
        path={fullPathOf(project)}
        action={`${base}/transfer`}
        csrfToken={csrfToken}
        suggestions={locations}
      />
      <Card title="Delete project">
        <p>Deletes the project with its repository, issues, merge requests and snippets.</p>
        <ConfirmButton
          label="Delete project"
          title={`Delete project ${fullPathOf(project)}?`}
          question={`This permanently deletes ${fullPathOf(project)} and all of its data.`}
          confirm={`Delete ${project.path}`}
          path={fullPathOf(project)}
          action={`${base}/delete`}
          csrfToken={csrfToken}
        />
      </Card>
    </>
  );
}

interface ProjectFeatureFieldsProps {
  values: ProjectValues;
  errors: FormProblems | null;
}

/** Default branch, topics, and which features a project has. */
function ProjectFeatureFields({ values, errors }: ProjectFeatureFieldsProps): VNode {
  return (
    <>
      <TextField
        name="default_branch"
        label="Default branch"
        value={values.defaultBranch}
        errors={errors?.fields['default_branch']}
        autocomplete="off"
      />
      <TextField
        name="topics"
        label="Topics"
        hint="Comma-separated"
        value={values.topics}
        errors={errors?.fields['topics']}
      />
      {FEATURE_SWITCHES.map(({ name, label }) => (
        <CheckboxField
          key={name}
          name={name}
          label={label}
          checked={values.features[name]}
          errors={errors?.fields[name]}
        />
      ))}
    </>
  );
}
