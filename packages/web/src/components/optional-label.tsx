import classes from './schema-form.module.css';

/** Most open fields are needed; what is folded away never is. Only the exception is marked. */
export function OptionalLabel({ text }: { readonly text: string }) {
  return (
    <>
      {text} <span className={classes.optional}>optional</span>
    </>
  );
}
