//! Loops compiled twice: for every processor, and for those with AVX2, chosen when called.

/// Defines a function whose body is also compiled for AVX2. Generic parameters stand in square brackets, once as
/// declared and once as passed on.
macro_rules! twice {
    ($(#[$doc:meta])* $vis:vis fn $name:ident [$($generic:tt)*] [$($pass:tt)*]
        ($($arg:ident: $ty:ty),* $(,)?) $body:block) => {
        $(#[$doc])*
        $vis fn $name<$($generic)*>($($arg: $ty),*) {
            #[inline(always)]
            fn body<$($generic)*>($($arg: $ty),*) $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn avx2<$($generic)*>($($arg: $ty),*) {
                    body::<$($pass)*>($($arg),*);
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has AVX2.
                    return unsafe { avx2::<$($pass)*>($($arg),*) };
                }
            }
            body::<$($pass)*>($($arg),*);
        }
    };
}

pub(super) use twice;
