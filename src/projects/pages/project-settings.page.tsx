import type { VNode } from 'preact';
import { AvatarCard } from '../../core/ui/components/avatar-card.js';
import { Button } from '../../core/ui/components/button.js';
import { CheckboxField } from '../../core/ui/components/choice-fields.js';
import { ConfirmButton } from '../../core/ui/components/confirm-button.js';
import { Card } from '../../core/ui/components/content.js';
import { FormErrors } from '../../core/ui/components/form-errors.js';
import { Form, FormActions, PostButton } from '../../core/ui/components/form.js';
import { TextField } from '../../core/ui/components/text-field.js';
import type { FormProblems } from '../../core/ui/form-errors.js';
import type { PageShell } from '../../core/ui/shell.js';
import { canInProject } from '../../members/abilities.js';
import { VisibilityField } from '../../members/pages/visibility.js';
import { fullPathOf, type ProjectRow } from '../projects.repository.js';
import { ProjectFrame } from './project-frame.js';
import { ProjectSettingsTabs } from './project-settings-tabs.js';
import { ProjectTextFields } from './project-text-fields.js';
import { FEATURE_SWITCHES, type ProjectValues } from './project-values.js';

interface ProjectSettingsProps {
  shell: PageShell;
  project: ProjectRow;
  values: ProjectValues;
  errors: FormProblems | null;
  avatarErrors?: FormProblems;
}

/** Changing a project; owners also archive and delete it. */
export function ProjectSettingsPage(props: ProjectSettingsProps): VNode {
  const { shell, project, values, errors, avatarErrors } = props;
  const isOwner = canInProject('own_project', { ...project, viewer: shell.viewer });
  return (
    <ProjectFrame project={project} viewer={shell.viewer} current="settings">
      <ProjectSettingsTabs project={project} current="general" />
      <Card title="General">
        <Form action={`/${fullPathOf(project)}/-/edit`} csrfToken={shell.csrfToken} label="Project">
          <FormErrors errors={errors} />
          <ProjectTextFields
            values={values}
            errors={errors}
            pathHint={`What addresses name the project by: /${project.namespace.fullPath}/…`}
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
              label="Send mails about the project"
              hint="There are none while a group above has turned them off."
              checked={values.emailsEnabled}
              errors={errors?.fields['emails_enabled']}
            />
          )}
          <FormActions>
            <Button>Save changes</Button>
          </FormActions>
        </Form>
      </Card>
      <AvatarCard
        action={`/${fullPathOf(project)}/-/avatar`}
        csrfToken={shell.csrfToken}
        kind="project"
        owner={project}
        errors={avatarErrors?.fields['avatar']}
      />
      {isOwner && <OwnersCards shell={shell} project={project} />}
    </ProjectFrame>
  );
}

function OwnersCards({ shell, project }: Pick<ProjectSettingsProps, 'shell' | 'project'>): VNode {
  const base = `/${fullPathOf(project)}/-`;
  const { csrfToken } = shell;
  return (
    <>
      <Card title={project.archived ? 'Unarchive project' : 'Archive project'}>
        <p>
          {project.archived
            ? 'An archived project can be read, but not changed. Its members can go on when it is unarchived.'
            : 'An archived project can be read, but nobody can change it any more until it is unarchived.'}
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
      <Card title="Delete project">
        <p>Its repository, snippets and issues are deleted, too.</p>
        <ConfirmButton
          label="Delete project"
          question={`${fullPathOf(project)} and everything in it will be gone for good.`}
          confirm={`Delete ${project.path}`}
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
        hint="Separated by commas."
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
