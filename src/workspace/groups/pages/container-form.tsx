import type { ComponentChildren, VNode } from 'preact';
import { InvalidParamsError } from '../../../core/errors.js';
import { CheckboxField } from '../../../core/ui/components/choice-fields.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { TextArea, TextField } from '../../../core/ui/components/text-field.js';
import { given, type FormProblems } from '../../../core/ui/forms.js';
import { VisibilityField } from '../../../identity/members/pages/visibility.js';
import { visibilityName } from '../../../identity/members/visibility.js';
import type { GroupRow } from '../groups.repository.js';
import { filledAddress } from '../../../core/ui/addresses.js';
import { ButtonLink } from '../../../core/ui/components/button.js';

/** Name, path and description of a group or project. */
export interface ContainerTexts {
  name: string;
  path: string;
  description: string;
}

/** The fields of a group as texts. */
export interface GroupValues extends ContainerTexts {
  visibility: string;
  requestAccess: boolean;
  emailsEnabled: boolean;
}

interface ContainerTextFieldsProps {
  values: ContainerTexts;
  errors: FormProblems | null;
  pathHint: string;
  /** Longest description in characters. */
  maxDescription: number;
  /** The path can be left blank: it is made of the name. */
  isPathOptional?: boolean;
  /** Name and path are left out: only owners change them. */
  fixed?: boolean;
}

/** The fields of a group or project that are typed in. */
export function ContainerTextFields(props: ContainerTextFieldsProps): VNode {
  const { values, errors, pathHint, maxDescription, isPathOptional = false, fixed = false } = props;
  return (
    <>
      {!fixed && (
        <>
          <TextField
            name="name"
            label="Name"
            value={values.name}
            errors={errors?.fields['name']}
            maxLength={255}
            required
          />
          <TextField
            name="path"
            label="Path"
            hint={pathHint}
            value={values.path}
            errors={errors?.fields['path']}
            maxLength={255}
            autocomplete="off"
            required={!isPathOptional}
          />
        </>
      )}
      <TextArea
        name="description"
        label="Description"
        value={values.description}
        errors={errors?.fields['description']}
        maxLength={maxDescription}
        rows={3}
      />
    </>
  );
}

/** Returns the sent fields. */
export function valuesOfForm(form: Record<string, unknown>): GroupValues {
  return {
    name: given(form, 'name'),
    path: given(form, 'path'),
    description: given(form, 'description'),
    visibility: given(form, 'visibility'),
    requestAccess: given(form, 'request_access_enabled') === 'true',
    emailsEnabled: given(form, 'emails_enabled') === 'true',
  };
}

/** Returns the fields of a group. */
export function valuesOfGroup(group: GroupRow): GroupValues {
  return {
    name: group.name,
    path: group.path,
    description: group.description,
    visibility: visibilityName(group.visibility),
    requestAccess: group.requestAccessEnabled,
    emailsEnabled: group.emailsEnabled,
  };
}

/** Throws 400 for a form without name or path: texts of the API can be empty. */
export function assertNamed(form: Record<string, unknown>): void {
  const missing = ['name', 'path'].filter((name) => given(form, name).trim() === '');
  if (missing.length > 0) throw new InvalidParamsError(missing.map((name) => `${name} is missing`));
}

interface GroupFormProps {
  action: string;
  csrfToken: string;
  values: GroupValues;
  errors: FormProblems | null;
  /** Path of the group above with a slash, else empty. */
  prefix: string;
  /** The group above, for a new one. */
  parentId: string;
  /** The buttons. */
  children: ComponentChildren;
}

/** Name, path and what else a group is made of. */
export function GroupForm(props: GroupFormProps): VNode {
  const { action, csrfToken, values, errors, prefix, parentId, children } = props;
  return (
    <Form action={action} csrfToken={csrfToken} label="Group">
      <FormErrors errors={errors} />
      {parentId !== '' && <input type="hidden" name="parent_id" value={parentId} />}
      <ContainerTextFields
        values={values}
        errors={errors}
        pathHint={`Group URL: /${prefix}…`}
        maxDescription={500}
      />
      <VisibilityField value={values.visibility} privateHint="Members only." errors={errors} />
      <CheckboxField
        name="request_access_enabled"
        label="Allow access requests"
        checked={values.requestAccess}
        errors={errors?.fields['request_access_enabled']}
      />
      <CheckboxField
        name="emails_enabled"
        label="Send notification emails"
        hint="Applies to the group, its subgroups and projects."
        checked={values.emailsEnabled}
        errors={errors?.fields['emails_enabled']}
      />
      <FormActions>{children}</FormActions>
    </Form>
  );
}

/** Locations that the field suggests; any other can be typed. */
export const SUGGESTED_LOCATIONS = 100;

interface TransferCardProps {
  kind: 'project' | 'group';
  /** Full path, which has to be typed. */
  path: string;
  action: string;
  csrfToken: string;
  /** Full paths of namespaces. */
  suggestions: readonly string[];
}

/** Moves a project or group to another namespace, after a question. */
export function TransferCard(props: TransferCardProps): VNode {
  const { kind, path, action, csrfToken, suggestions } = props;
  const isGroup = kind === 'group';
  return (
    <Card title={`Transfer ${kind}`}>
      <p>
        {isGroup
          ? 'Moves the group with its subgroups and projects to another parent group.'
          : 'Moves the project to another group or user.'}{' '}
        Old addresses redirect to the new ones.
      </p>
      <ConfirmButton
        label={`Transfer ${kind}`}
        title={`Transfer ${kind} ${path}?`}
        question={`Members of the new ${isGroup ? 'parent group' : 'namespace'} get access, and access inherited from the current one ends. Visibility is lowered if necessary.`}
        confirm={`Transfer ${kind}`}
        path={path}
        action={action}
        csrfToken={csrfToken}
      >
        <TextField
          name="location"
          label={isGroup ? 'New parent group' : 'New namespace'}
          hint={isGroup ? 'Leave blank to make it a top-level group.' : undefined}
          list="locations"
          autocomplete="off"
          required={!isGroup}
        />
        <datalist id="locations">
          {suggestions.map((location) => (
            <option key={location} value={location} />
          ))}
        </datalist>
      </ConfirmButton>
    </Card>
  );
}

interface RepositoryStorageCardProps {
  kind: 'project' | 'group';
  /** ID or full path. */
  container: number | string;
  /** Name of the storage that holds the repository. */
  storage: string;
  isReadOnly: boolean;
}

/** Shows administrators where a repository is stored, and links to its move. */
export function RepositoryStorageCard({
  kind,
  container,
  storage,
  isReadOnly,
}: RepositoryStorageCardProps): VNode {
  return (
    <Card title="Repository storage">
      <p>
        Stored on <a href={`/admin/storages/${storage}`}>{storage}</a>.
        {isReadOnly && ' Read-only while it moves to another storage.'}
      </p>
      <div>
        {isReadOnly ? (
          <ButtonLink href={`/admin/storage_moves?kind=${kind}`} variant="outline">
            View storage moves
          </ButtonLink>
        ) : (
          <ButtonLink
            href={filledAddress('/admin/storage_moves/new', { kind, container })}
            variant="outline"
          >
            Move repository
          </ButtonLink>
        )}
      </div>
    </Card>
  );
}
