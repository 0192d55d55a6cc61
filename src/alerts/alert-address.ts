/** Address of an alert's page. */
export function alertWebUrl(baseUrl: string, projectFullPath: string, iid: number): string {
  return `${baseUrl}/${projectFullPath}/-/alert_management/${iid}/details`;
}
