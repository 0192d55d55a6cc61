import type { VNode } from 'preact';
import type { AvatarKind, AvatarOwner } from '../../avatars/avatar-address.js';
import { Avatar } from './avatar.js';
import { Button } from './button.js';
import { Card } from './content.js';
import { controlAttributes, Field } from './field.js';
import { Form, FormActions, PostButton } from './form.js';

interface AvatarCardProps {
  /** Takes the field `avatar`: a file, or an empty text to remove the avatar. */
  action: string;
  csrfToken: string;
  kind: AvatarKind;
  owner: AvatarOwner & { name: string };
  errors: string[] | undefined;
}

/** Shows the current avatar, with forms to replace and to remove it. */
export function AvatarCard({ action, csrfToken, kind, owner, errors }: AvatarCardProps): VNode {
  const field = {
    name: 'avatar',
    label: 'Image',
    hint: 'PNG, JPEG, GIF or WebP, at most 200 KiB. Images are cropped to a square.',
    errors,
    required: true,
  };
  const attributes: object = { ...controlAttributes(field) };
  return (
    <Card title="Avatar">
      <div class="flex flex-wrap items-start gap-4">
        <Avatar name={owner.name} owner={owner} kind={kind} size="large" />
        <div class="grid min-w-0 grow gap-3">
          <Form action={action} csrfToken={csrfToken} label="Avatar" enctype="multipart/form-data">
            <Field {...field}>
              <input
                class="control"
                type="file"
                accept="image/png,image/jpeg,image/gif,image/webp"
                {...attributes}
              />
            </Field>
            <FormActions>
              <Button variant="outline">Upload avatar</Button>
            </FormActions>
          </Form>
          {owner.avatar !== null && (
            <PostButton action={action} csrfToken={csrfToken} fields={{ avatar: '' }}>
              Remove avatar
            </PostButton>
          )}
        </div>
      </div>
    </Card>
  );
}
