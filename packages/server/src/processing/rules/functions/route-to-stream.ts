import { defineFunction, optional } from '../define.ts';
import { streamsOf } from '../stream-arguments.ts';

export const routeToStreamFunction = defineFunction({
  name: 'route_to_stream',
  description:
    'Adds the message to a stream. A stream that does not exist or is paused is ignored. The pipelines of the stream run for the message, too. A stream that removes its messages from the default stream does so here, too.',
  params: [
    optional('id', 'String', 'The id of the stream.'),
    optional('name', 'String', 'The name of the stream; all streams of that name, if there are several.'),
    optional('message', 'Message', 'The message; the current one if it is left out.'),
    optional('remove_from_default', 'Boolean', 'Whether to remove the message from the default stream.'),
  ],
  returns: 'Void',
  hasEffect: true,
  call: (context, id, name, message = context.current, removeFromDefault = false) => {
    const { batch, environment } = context;
    const streams = streamsOf(environment, id, name);
    let isRouted = false;
    for (const stream of streams) {
      batch.addStream(message.index, stream);
      isRouted ||= batch.targets[message.index]?.streamIds.includes(stream) ?? false;
    }
    if (removeFromDefault && isRouted) batch.removeStream(message.index, environment.defaultStreamId);
    context.changed();
  },
});
