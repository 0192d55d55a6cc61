/** The id of the control of a field, made from its name: `user[login]` → `field-user-login`. */
export function fieldId(name: string): string {
  const words = name.split(/[^\w]+/).filter((word) => word !== '');
  return ['field', ...words].join('-');
}
