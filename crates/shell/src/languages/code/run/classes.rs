//! Functions and classes that the code defines.

use super::*;

impl Run<'_> {
    pub(super) fn function(&mut self, function: &Rc<Function>) -> Item {
        let seen = if self.frames.len() > 1 {
            let mut names = match self.seen.last() {
                Some(Some(seen)) => seen.borrow().clone(),
                _ => Names::new(),
            };
            if let Some(frame) = self.frames.last() {
                names.extend(frame.names.iter().map(|(name, item)| (name.clone(), item.clone())));
            }
            self.pay(names.len() / 8);
            Some(self.scope(names))
        } else {
            None
        };
        let item = Item::Function(Rc::new(Closure { function: Rc::clone(function), seen, this: None }));
        self.defined.push(item.clone());
        item
    }

    pub(super) fn class(&mut self, class: &Rc<Class>) -> Item {
        let mut bases: Vec<Item> = class.bases.iter().map(|base| self.eval(base)).collect();
        if self.dialect != Dialect::Ruby {
            return self.class_of(bases, &class.body, None);
        }
        // A class that is opened again has what it had.
        if let Some(before @ Item::Class(_)) = self.get(&class.name) {
            bases.push(before);
        }
        let mut around = match self.seen.last() {
            Some(Some(seen)) => seen.borrow().clone(),
            _ => Names::new(),
        };
        if self.frames.len() > 1
            && let Some(frame) = self.frames.last()
        {
            around.extend(frame.names.iter().map(|(name, item)| (name.clone(), item.clone())));
        }
        around.remove(self.dialect.this());
        self.pay(around.len() / 8);
        let around = self.scope(around);
        let made = self.class_of(bases, &class.body, Some(around));
        let of_language = matches!(
            class.name.as_str(),
            "String"
                | "Array"
                | "Hash"
                | "Integer"
                | "Object"
                | "Symbol"
                | "Kernel"
                | "Enumerable"
                | "NilClass"
        );
        if let (true, Item::Class(made)) = (of_language, &made) {
            for (name, item) in made.members.borrow().iter() {
                self.patched.insert(name.clone(), item.clone());
                if matches!(class.name.as_str(), "Object" | "Kernel")
                    && let Some(frame) = self.frames.first_mut()
                {
                    frame.names.insert(name.clone(), item.clone());
                }
            }
        }
        made
    }

    /// A class with these classes above it, whose members its body makes.
    pub(in crate::languages) fn class_of(
        &mut self,
        bases: Vec<Item>,
        body: &[Stmt],
        seen: Option<Rc<RefCell<Names>>>,
    ) -> Item {
        let own = Rc::new(OwnClass { bases, members: RefCell::default(), last: RefCell::default() });
        self.made.classes.push(Rc::clone(&own));
        let first = self.defined.len();
        let mut frame = Frame::default();
        if matches!(self.dialect, Dialect::Ruby | Dialect::Php) {
            frame.names.insert(self.dialect.this().to_owned(), Item::Class(Rc::clone(&own)));
        }
        self.classes.push(self.frames.len());
        self.frames.push(frame);
        self.seen.push(seen);
        self.block(body);
        self.seen.pop();
        let mut frame = self.frames.pop().unwrap_or_default();
        self.classes.pop();
        frame.names.remove(self.dialect.this());
        own.members.borrow_mut().extend(frame.names);
        // What nothing calls is followed with an object of the class.
        let object = self.object(Rc::clone(&own), Names::new());
        if self.dialect == Dialect::Python
            && let Some(Item::Function(reduce)) =
                ["__reduce__", "__reduce_ex__"].iter().find_map(|name| self.class_member(&own, name, 0))
            && let Item::Function(reduce) = bound(&reduce, &object)
        {
            let made = self.closure(&reduce, None);
            self.reduced_to(&made);
        }
        for item in self.defined.iter_mut().skip(first) {
            if let Item::Function(closure) = &item
                && closure.this.is_none()
                && body.iter().any(|statement| {
                    matches!(statement, Stmt::Function(function) if Rc::ptr_eq(function, &closure.function))
                })
            {
                *item = bound(closure, &object);
            }
        }
        Item::Class(own)
    }
}
