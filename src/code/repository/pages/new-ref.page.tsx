import type { VNode } from 'preact';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { TextArea, TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import { codeAddresses, type CodeView } from './code-frame.js';

/** A branch or tag as it was typed in. */
export interface RefFields {
  name: string;
  ref: string;
  message: string;
}

interface NewRefPageProps extends CodeView {
  kind: 'branch' | 'tag';
  fields: RefFields;
  errors: FormProblems | null;
}

/** The form for a new branch or tag. */
export function NewRefPage({ pageContext, project, kind, fields, errors }: NewRefPageProps): VNode {
  const { branches, tags } = codeAddresses(project);
  const list = kind === 'branch' ? branches : tags;
  const nameField = kind === 'branch' ? 'branch' : 'tag_name';
  return (
    <>
      <PageHeader title={`New ${kind}`} />
      <Card>
        <Form action={list} csrfToken={pageContext.csrfToken}>
          <FormErrors errors={errors} />
          <TextField
            name={nameField}
            label="Name"
            value={fields.name}
            errors={errors?.fields[nameField]}
            required
          />
          <TextField
            name="ref"
            label="From"
            hint="Branch, tag or commit ID"
            value={fields.ref}
            errors={errors?.fields['ref']}
            required
          />
          {kind === 'tag' && (
            <TextArea
              name="message"
              label="Message"
              hint="With a message, the tag is annotated. Leave blank for a lightweight tag."
              value={fields.message}
              errors={errors?.fields['message']}
            />
          )}
          <FormActions submit={`Create ${kind}`} cancel={list} />
        </Form>
      </Card>
    </>
  );
}
