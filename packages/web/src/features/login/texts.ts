export const texts = {
  title: 'Log in to Millrace',
  user: 'User name',
  password: 'Password',
  logIn: 'Log in',
  wrong: 'Name or password is wrong.',
  notKept:
    'The password is right, but the browser did not keep the session. Allow cookies for this address, and try again.',
  wait: (seconds: number) => `Too many attempts. Try again in ${seconds} s.`,
  firstStart:
    'First start? Millrace printed the user name and the password in the terminal where it was started.',
  sessionEnded: 'Your session has ended',
  sessionEndedWhy: 'Log in to go on. Everything on this page is still there.',
  somebodyElse: 'Log in as somebody else',
};
