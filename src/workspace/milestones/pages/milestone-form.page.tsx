import type { VNode } from 'preact';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { TextArea, TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import type { MilestonePageContext } from './milestone-page-context.js';

/** The fields of a milestone as its forms have them. */
export interface MilestoneValues {
  title: string;
  description: string;
  start_date: string;
  due_date: string;
}

/** Values of the form. */
export interface MilestoneFormProps {
  csrfToken: string;
  context: MilestonePageContext;
  /** The milestone to be changed; null for a new one. */
  iid: number | null;
  values: MilestoneValues;
  errors: FormProblems | null;
}

/** The form for a new milestone, and for changing one. */
export function MilestoneFormPage(props: MilestoneFormProps): VNode {
  const { csrfToken, context, iid, errors } = props;
  const isNew = iid === null;
  const path = isNew ? context.path : `${context.path}/${iid}`;
  return (
    <>
      <PageHeader title={isNew ? 'New milestone' : 'Edit milestone'} />
      <Card>
        <Form
          action={isNew ? `${path}/new` : `${path}/edit`}
          csrfToken={csrfToken}
          label="Milestone"
        >
          <FormErrors errors={errors} />
          <Fields {...props} />
          <FormActions submit={isNew ? 'Create milestone' : 'Save changes'} cancel={path} />
        </Form>
      </Card>
    </>
  );
}

function Fields({ values, errors }: Pick<MilestoneFormProps, 'values' | 'errors'>): VNode {
  return (
    <>
      <TextField
        name="title"
        label="Title"
        value={values.title}
        errors={errors?.fields['title']}
        maxLength={255}
        required
      />
      <TextArea
        name="description"
        markdown
        label="Description"
        hint="Supports Markdown"
        value={values.description}
        errors={errors?.fields['description']}
        rows={8}
      />
      <TextField
        name="start_date"
        label="Start date"
        type="date"
        value={values.start_date}
        errors={errors?.fields['start_date']}
      />
      <TextField
        name="due_date"
        label="Due date"
        type="date"
        value={values.due_date}
        errors={errors?.fields['due_date']}
      />
    </>
  );
}
