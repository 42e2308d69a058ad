/** Paths that clients of older versions of Graylog use. */

/** Before version 3, pipelines were a plugin, whose routes had this prefix. */
const PIPELINES_OF_2 = '/api/plugins/org.graylog.plugins.pipelineprocessor/system/pipelines/';
const PIPELINES = '/api/system/pipelines/';

/** The URL by which a request is answered; permissions and everything else are those of that route. */
export function currentUrl(url: string): string {
  return url.startsWith(PIPELINES_OF_2) ? PIPELINES + url.slice(PIPELINES_OF_2.length) : url;
}
