import { defineFunction, optional } from '../define.ts';

export const fromInputFunction = defineFunction({
  name: 'from_input',
  description: 'Whether the message came from this input.',
  params: [
    optional('id', 'String', 'The id of the input.'),
    optional('name', 'String', 'The name of the input, in any case.'),
  ],
  returns: 'Boolean',
  call: ({ current, environment }, id, name) => {
    const { inputId } = current.message.origin;
    if (id !== undefined) return inputId === id;
    if (name === undefined) throw new Error('from_input() needs the id or the name of an input');
    return environment.inputsNamed(name).includes(inputId);
  },
});
