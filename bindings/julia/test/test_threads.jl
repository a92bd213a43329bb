@testset "one tensor read by many tasks" begin
    array = rand(100, 100)
    tensor = Tensor(array)
    sums = zeros(16)
    @sync for k in 1:16
        Threads.@spawn begin
            for _ in 1:50
                sums[k] = sum(view(tensor))
                Hurray.layout(tensor)
            end
        end
    end
    @test all(sums .≈ sum(array))
    close(tensor)
end

@testset "tensors made and dropped by many tasks" begin
    counts = zeros(Int, 8)
    @sync for k in 1:8
        Threads.@spawn for j in 1:200
            tensor = Tensor(fill(Float64(j), 10))
            counts[k] += sum(view(tensor)) == 10j
            iseven(j) && close(tensor)
        end
    end
    @test all(counts .== 200)
end
