import type { VNode } from 'preact';
import { Button } from '../../core/ui/components/button.js';
import { CheckboxField } from '../../core/ui/components/choice-fields.js';
import { Form, FormActions } from '../../core/ui/components/form.js';
import { TextArea } from '../../core/ui/components/text-field.js';
import { mayPushTo } from '../merge-request-access.js';
import { canWait } from './auto-merge.js';
import type { MergeBoxProps } from './merge-box.js';

/** The form that merges what can be merged. */
export function MergeForm({ csrfToken, place, view, refused }: MergeBoxProps): VNode {
  const { row } = view;
  return (
    <Form
      action={`${place.path}/${row.iid}/merge`}
      csrfToken={csrfToken}
      label="Merge"
      class="grid w-full gap-4"
    >
      <p role="status">
        <span class="text-success font-semibold">It can be merged.</span>
        {` Nothing in ${row.targetBranch} stands against it.`}
      </p>
      <input type="hidden" name="sha" value={row.headSha} />
      <TextArea
        name="merge_commit_message"
        label="Message of the merge commit"
        hint="Left empty, it names the branches and this merge request."
        value={refused?.message}
        errors={refused?.errors.fields['merge_commit_message']}
        rows={3}
      />
      {mayRemoveSource(place, row) && (
        <CheckboxField
          name="should_remove_source_branch"
          label="Delete the source branch"
          checked={refused?.removesSource ?? row.removeSourceBranch}
        />
      )}
      <FormActions>
        {canWait(view) && (
          <Button name="auto_merge" value="true">
            Merge when the pipeline succeeds
          </Button>
        )}
        <Button variant={canWait(view) ? 'outline' : 'primary'}>
          {canWait(view) ? 'Merge now' : 'Merge'}
        </Button>
      </FormActions>
    </Form>
  );
}

function mayRemoveSource(
  { project: { defaultBranch }, viewer }: MergeBoxProps['place'],
  { sourceBranch: branch, accessLevel }: MergeBoxProps['view']['row'],
): boolean {
  return branch !== defaultBranch && mayPushTo({ branch, defaultBranch, accessLevel, viewer });
}
